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


def play(world: str, reward: str) -> int:
    """Plays one episode; returns its steps."""
    if reward == "dense":  # a model comes along for each grid world's defaults; worlds of rounds need none
        reward = "process" if world in ("phone-v1", "web-v1") else "credit"
    env = marlpit.parallel_env(world, reward=reward, max_cycles=20)
    assert isinstance(env, pettingzoo.ParallelEnv)
    observations, infos = env.reset(seed=0)
    steps = 0
    shaped = False
    while env.agents:
        actions = {a: int(np.flatnonzero(infos[a]["action_mask"])[-1]) for a in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)
        shaped = shaped or any(info.get("shaping") or info.get("process_valid") for info in infos.values())
        steps += 1
    assert 0 < steps <= 20, steps
    assert shaped == (reward != "team"), (world, reward)
    env.close()
    return steps


steps = sum(play(world, reward) for world in ids for reward in ("team", "dense"))

made = pettingzoo.make("parallel", "marlpit/two-switch-v1") if hasattr(pettingzoo, "make") else None
if made is not None:
    made.reset(seed=0)
    made.close()

version = subprocess.run([sys.prefix + "/bin/marlpit", "version"], capture_output=True, text=True, check=True).stdout
print(f"marlpit {version.strip()}: {', '.join(ids)}; {steps} steps")
