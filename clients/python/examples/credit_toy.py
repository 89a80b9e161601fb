"""Two agents have to stand on the last cell of a lane together: credit for each of them, all in one file."""

import tempfile

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv

from marlpit import credit

AGENTS, LAST, MOVES = ["red", "blue"], 5, [0, -1, 1]
BOXES, CHOICES = {a: Box(0, LAST, (2,)) for a in AGENTS}, {a: Discrete(3) for a in AGENTS}


class Lane(ParallelEnv):
    metadata, possible_agents = {"name": "lane_v0"}, AGENTS
    observation_space, action_space = staticmethod(BOXES.get), staticmethod(CHOICES.get)

    def reset(self, seed=None, options=None):
        self.agents, self.cells = AGENTS[:], np.zeros(2, np.float32)
        return dict.fromkeys(AGENTS, self.cells), {a: {} for a in AGENTS}

    def step(self, actions):
        self.cells = np.clip(self.cells + np.float32([MOVES[actions[a]] for a in AGENTS]), 0, LAST)
        won = bool((self.cells == LAST).all())
        self.agents = [] if won else AGENTS[:]
        values = self.cells, float(won), won, False, {"success": int(won)}
        return tuple(dict.fromkeys(AGENTS, v) for v in values)

    def state(self):
        return self.cells.copy()


def describe(before, after, agent):
    was, now = (int(LAST - s[AGENTS.index(agent)]) for s in (before, after))
    return f"Both have to reach the end. Before: {agent} was {was} cells from it. Now: it is {now} cells from it."


out = tempfile.mkdtemp()
credit.record(Lane(), f"{out}/lane.jsonl", describe=describe, frames=2000)
credit.collect(from_=f"{out}/lane.jsonl", db=f"{out}/lane.db")
credit.label(db=f"{out}/lane.db", critic="rule")
credit.fit(db=f"{out}/lane.db", out=f"{out}/lane.credit")
env = credit.wrap(Lane(), model=f"{out}/lane.credit")
env.reset(seed=0)
print(env.step({"red": 2, "blue": 0})[1])  # red moves on, blue does not
