"""Credit for the players of lbforaging (level-based foraging), without a server.

    python credit_lbforaging.py [--critic rule | oracle | openai] [--frames N] [--out FOLDER]

Two players have to stand beside one piece of food and load it together. The
library is no PettingZoo one: a class of thirty lines makes its environment a
ParallelEnv, and the rest is as in credit_simple_spread.py.
docs/your-own-environment.md tells it step by step.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import lbforaging  # noqa: F401  it registers its environments
import numpy as np
import pettingzoo

from marlpit import credit

ENV = "Foraging-8x8-2p-1f-coop-v3"
PLAYERS = ["player_0", "player_1"]
LOAD = 5


class Foraging(pettingzoo.ParallelEnv[str, Any, Any]):
    """A game of lbforaging; its limit of steps truncates."""

    def __init__(self, limit: int = 50) -> None:
        self.metadata = {"name": ENV, "render_modes": []}
        self.render_mode = None
        self.game = gymnasium.make(ENV, disable_env_checker=True).unwrapped
        self.game._max_episode_steps = self.limit = limit
        self.possible_agents, self.agents = PLAYERS[:], list[str]()
        make = zip(PLAYERS, self.game.observation_space, self.game.action_space, strict=True)
        self.spaces = {
            p: (gymnasium.spaces.Box(o.low, o.high, dtype=np.float32), gymnasium.spaces.Discrete(a.n)) for p, o, a in make
        }

    def observation_space(self, agent: str) -> Any:
        return self.spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        return self.spaces[agent][1]

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict, dict]:
        observations, _ = self.game.reset(seed=seed)
        self.agents = PLAYERS[:]
        return dict(zip(PLAYERS, observations, strict=True)), {p: {} for p in PLAYERS}

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        observations, _, over, _, _ = self.game.step([actions[p] for p in PLAYERS])
        eaten = not self.game.field.any()
        self.agents = [] if over else PLAYERS[:]
        return (
            dict(zip(PLAYERS, observations, strict=True)), dict.fromkeys(PLAYERS, float(eaten)), dict.fromkeys(PLAYERS, eaten),
            dict.fromkeys(PLAYERS, over and not eaten), {p: {} for p in PLAYERS},
        )  # fmt: skip


class State(NamedTuple):
    """Rows and columns of the players and of the food; the food's are kept when it is gone."""

    players: tuple[tuple[int, int], ...]
    food: tuple[int, int]
    eaten: bool


class Watch:
    """Takes states; it remembers where the food was."""

    food = (0, 0)

    def __call__(self, env: Any) -> State:
        found = np.argwhere(env.game.field)
        if len(found):
            self.food = (int(found[0][0]), int(found[0][1]))
        players = tuple((int(p.position[0]), int(p.position[1])) for p in env.game.players)
        return State(players, self.food, not len(found))


def steps(state: State, agent: str) -> int:
    """Steps to a place beside the food."""
    (row, column), food = state.players[PLAYERS.index(agent)], state.food
    return abs(row - food[0]) + abs(column - food[1]) - 1


def focus(state: State, agent: str) -> np.ndarray:
    """The food seen from the player, the steps to it, and whether it is eaten."""
    row, column = state.players[PLAYERS.index(agent)]
    return np.array([state.food[0] - row, state.food[1] - column, steps(state, agent), state.eaten])


def features(state: State) -> np.ndarray:
    """Both players' views."""
    return np.concatenate([focus(state, p) for p in PLAYERS])


def success(state: State, agent: str) -> bool:
    """The food is eaten."""
    return state.eaten


def describe(before: State, after: State, agent: str) -> dict[str, str]:
    """The player's move in words."""
    i = PLAYERS.index(agent)
    task = "Two players have to stand beside the food and load it together."

    def beside(state: State) -> str:
        food = "the food is eaten" if state.eaten else "the food is not eaten"
        return f"{steps(state, agent)} steps away from a place beside the food; {food}"

    def places(state: State) -> str:
        food = "the food is eaten" if state.eaten else "the food is not eaten"
        return f"in row {state.players[i][0]}, column {state.players[i][1]}; {food}"

    where = f"The food is in row {before.food[0]}, column {before.food[1]}."
    return {
        "guided": f"{task} Before: {agent} was {beside(before)}. Now: it is {beside(after)}.",
        "plain": f"{task} {where} Before: {agent} was {places(before)}. Now: it is {places(after)}.",
    }


def work(state: State, agent: str) -> int:
    """Moves that are left for a player, loading included; other players in the way are overlooked."""
    return 0 if state.eaten else steps(state, agent) + 1


def truth(before: State, after: State, agent: str) -> float:
    """Credit of the player's part: the moves that it saved itself."""
    return float(work(before, agent) - work(after, agent))


def team_truth(before: State, after: State) -> float:
    """The moves that were saved in all."""
    return sum(truth(before, after, p) for p in PLAYERS)


def step_towards(state: State, agent: str) -> int:
    """The action that brings a player nearer to the food, or loads it."""
    down, right, away, _ = focus(state, agent)
    if away == 0:
        return LOAD
    if abs(down) > abs(right):
        return 2 if down > 0 else 1
    return 4 if right > 0 else 3


def show(env: credit.CreditEnv, episodes: int) -> tuple[dict[str, float], float]:
    """Player 0 walks to the food, player 1 drifts: mean credit of each in an episode, and the team's reward."""
    rng, paid, team = np.random.default_rng(0), dict.fromkeys(PLAYERS, 0.0), 0.0
    watch = Watch()
    for episode in range(episodes):
        env.reset(seed=episode)
        while env.agents:
            actions = {PLAYERS[0]: step_towards(watch(env), PLAYERS[0]), PLAYERS[1]: int(rng.integers(6))}
            _, rewards, _, _, infos = env.step(actions)
            team += infos[PLAYERS[0]]["team_reward"]
            paid = {p: paid[p] + rewards[p] for p in PLAYERS}
    return {p: paid[p] / episodes for p in PLAYERS}, team / episodes


def run(critic: dict[str, Any], out: Path, frames: int) -> dict[str, Any]:
    """Records, judges, labels, fits and plays."""
    recording = credit.record(
        Foraging(limit=500), out / "foraging.jsonl", state=Watch(), features=features, focus=focus, describe=describe,
        truth=truth, team_truth=team_truth, frames=frames, overwrite=True,
    )  # fmt: skip
    votes, model = out / "foraging.db", out / "foraging.credit"
    votes.unlink(missing_ok=True)
    credit.collect(from_=recording.path, db=votes)
    judged = credit.judge(db=votes, **critic)
    credit.label(db=votes, **critic)
    fitted = credit.fit(db=votes, out=model)

    wrapped = credit.wrap(Foraging(), model=model, state=Watch(), features=features, focus=focus, success=success)
    paid, team = show(wrapped, episodes=20)
    held_out = [net["held_out_truth"] for net in fitted["nets"]]
    return {
        "recording": recording, "annotator": fitted["annotator"], "critic": judged["scores"][0]["accuracy"],
        "model": sum(h["right"] for h in held_out) / sum(h["n"] for h in held_out), "paid": paid, "team": team,
    }  # fmt: skip


def main() -> None:
    """Runs the example."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--critic", choices=["rule", "oracle", "openai"], default="rule", help="who is asked")
    options.add_argument("--frames", type=int, default=5_000, help="steps of random play to record")
    options.add_argument("--out", type=Path, default=Path("foraging-out"), help="folder for what is made")
    o = options.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    critic: dict[str, Any] = {"critic": o.critic}
    if o.critic == "oracle":
        critic |= {"error_rate": 0.25, "queries": 3}
    got = run(critic, o.out, o.frames)
    print(f"{got['recording'].kept} transitions of {got['recording'].frames} frames, judged by {got['annotator']}")
    print(f"right about exact credit: the critic {got['critic']:.0%}, the models {got['model']:.0%} on held-out moves\n")
    print("credit of an episode in which player_1 drifts:")
    for player, value in got["paid"].items():
        print(f"  {player}  {value:6.2f}   (team's reward: {got['team']:.2f})")


if __name__ == "__main__":
    main()
