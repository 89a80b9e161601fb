"""What a wheel has to do in an empty environment: start its own server and play."""

import shutil
import subprocess
import sys

import marlpit
import numpy as np
import pettingzoo

assert shutil.which("go") is None, "this is to show that no Go is needed"
ids = [world["id"] for world in marlpit.list_envs()]
assert "two-switch-v1" in ids, ids

env = marlpit.parallel_env("two-switch-v1", max_cycles=20)
assert isinstance(env, pettingzoo.ParallelEnv)
observations, infos = env.reset(seed=0)
steps = 0
while env.agents:
    actions = {a: int(np.flatnonzero(infos[a]["action_mask"])[-1]) for a in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
    steps += 1
assert 0 < steps <= 20, steps
env.close()

made = pettingzoo.make("parallel", "marlpit/two-switch-v1") if hasattr(pettingzoo, "make") else None
if made is not None:
    made.reset(seed=0)
    made.close()

version = subprocess.run([sys.prefix + "/bin/marlpit", "version"], capture_output=True, text=True, check=True).stdout
print(f"marlpit {version.strip()}: {', '.join(ids)}; {steps} steps")
