"""RLlib (2.60, its API of env runners and RL modules): `configure` prepares an algorithm's configuration for a world.

```python
from ray.rllib.algorithms.ppo import PPOConfig
from marlpit.rllib import configure

algorithm = configure(PPOConfig(), "two-switch-v1", num_envs=64, reward="oracle", seed=0).build_algo()
print(algorithm.train()["env_runners"]["success"])
```
"""

from marlpit._ray_node import NodeServer, node_server
from marlpit.rllib._callbacks import TeamMetrics
from marlpit.rllib._configure import configure
from marlpit.rllib._env import MarlpitEnv
from marlpit.rllib._masks import MaskedPPO
from marlpit.rllib._runner import MarlpitEnvRunner

__all__ = ["MarlpitEnv", "MarlpitEnvRunner", "MaskedPPO", "NodeServer", "TeamMetrics", "configure", "node_server"]
