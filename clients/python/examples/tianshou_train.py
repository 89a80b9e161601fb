"""Tianshou's DQN on a world of marlpit, one learner an agent, by PettingZoo's AEC interface.

pip install tianshou==2.0.1
python tianshou_train.py --frames 20000

Tianshou wants masks in the observations (``mask="obs"``) and equal spaces. It steps agent by agent: n of its steps are a frame.
"""

from __future__ import annotations

import argparse

from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import marlpit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="two-switch-v1")
    parser.add_argument("--reward", default="credit")
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--frames", type=int, default=100_000, help="steps of a copy, all agents acting once")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with marlpit.serve() as server:  # one for all copies

        def make() -> PettingZooEnv:
            return PettingZooEnv(marlpit.aec_env(args.world, reward=args.reward, mask="obs", url=server.url))

        copies = DummyVectorEnv([make] * args.copies)
        copies.seed(args.seed)
        world = make()

        def learner() -> DQN:
            shape = world.observation_space["observation"].shape
            net = Net(state_shape=shape, action_shape=world.action_space.n, hidden_sizes=(64, 64))
            policy = DiscreteQLearningPolicy(model=net, action_space=world.action_space, eps_training=0.2)
            return DQN(policy=policy, optim=AdamOptimizerFactory(1e-3), gamma=0.98, target_update_freq=200)

        team = MultiAgentOffPolicyAlgorithm(algorithms=[learner() for _ in world.agents], env=world)
        collector = Collector(team, copies, VectorReplayBuffer(50_000, args.copies), exploration_noise=True)
        params = OffPolicyTrainerParams(
            training_collector=collector, collection_step_num_env_steps=args.copies * 16, max_epochs=1,
            epoch_num_steps=args.frames * len(world.agents), update_step_num_gradient_steps_per_sample=0.1, batch_size=128,
            multi_agent_return_reduction=lambda r: r.mean(1), verbose=False, show_progress=False,
        )  # fmt: skip
        result = team.run_training(params)
        print(f"{result.train_step} steps, {result.update_step} updates")


if __name__ == "__main__":
    main()
