"""Credit for the agents of mpe2's simple_spread, without a server.

    python credit_simple_spread.py [--critic rule | oracle | openai] [--frames N] [--out FOLDER]

Three agents have to stand on three landmarks. Random play is recorded with words
for each agent, a critic says which changes helped whom, models are fitted to its
votes, and their differences stand in the slot of the reward. Then two agents walk
to their landmarks while the third drifts: the team's reward is the same for all,
the credit isn't. docs/your-own-environment.md tells it step by step.
"""

from __future__ import annotations

import argparse
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from mpe2 import simple_spread_v3

from marlpit import credit

AGENTS = ["agent_0", "agent_1", "agent_2"]
COVERED = 0.1  # as far from a landmark as counts as on it
PLANS = np.array(list(permutations(range(3))))  # a landmark for each agent, in all ways


def state(env: Any) -> np.ndarray:
    """Positions: (agents then landmarks, 2)."""
    world = env.unwrapped.world
    return np.array([e.state.p_pos for e in (*world.agents, *world.landmarks)])


def distances(state: np.ndarray) -> np.ndarray:
    """(agents, landmarks)."""
    return np.linalg.norm(state[:3, None] - state[None, 3:], axis=-1)


def plan(state: np.ndarray) -> np.ndarray:
    """Whose landmark is which: the plan with the least way to go in all."""
    ways = distances(state)[np.arange(3), PLANS].sum(axis=1)
    return PLANS[ways.argmin()]


def work(state: np.ndarray) -> float:
    """The least way to go, of all agents together."""
    return float(distances(state)[np.arange(3), PLANS].sum(axis=1).min())


def features(state: np.ndarray) -> np.ndarray:
    """Where every agent's landmark is, seen from the agent, and how far: (agents, 3) in one row."""
    to = state[3 + plan(state)] - state[:3]
    return np.column_stack([to, np.linalg.norm(to, axis=1)]).reshape(-1)


def focus(state: np.ndarray, agent: str) -> np.ndarray:
    """The agent's own part of that."""
    return features(state).reshape(3, 3)[AGENTS.index(agent)]


def success(state: np.ndarray, agent: str) -> bool:
    """Every landmark has an agent on it."""
    return bool((distances(state).min(axis=0) < COVERED).all())


def describe(before: np.ndarray, after: np.ndarray, agent: str) -> dict[str, str]:
    """The agent's move in words; ways are told in hundredths of the unit of length."""
    i = AGENTS.index(agent)
    goal = plan(before)[i]
    was, now = (np.rint(100 * distances(s)[i]).astype(int) for s in (before, after))
    task = "Three agents have to stand on three landmarks A, B and C, one agent on each."

    def ways(d: np.ndarray) -> str:
        return ", ".join(f"{d[k]} hundredths from landmark {'ABC'[k]}" for k in range(3))

    nearest = distances(before).argmin(axis=1)
    others = "; ".join(f"{AGENTS[k]} is nearest to landmark {'ABC'[nearest[k]]}" for k in range(3) if k != i)
    return {
        "guided": f"{task} Landmark {'ABC'[goal]} is the one for {agent}. "
        f"Before: it was {was[goal]} hundredths from it. Now: it is {now[goal]} hundredths from it.",
        "plain": f"{task} {others}. Before: {agent} was {ways(was)}. Now: {agent} is {ways(now)}.",
    }


def truth(before: np.ndarray, after: np.ndarray, agent: str) -> float:
    """Exact credit: the way that is saved when only this agent moves."""
    only = before.copy()
    only[AGENTS.index(agent)] = after[AGENTS.index(agent)]
    return work(before) - work(only)


def team_truth(before: np.ndarray, after: np.ndarray) -> float:
    """The way that is saved in all."""
    return work(before) - work(after)


def step_towards(state: np.ndarray, agent: str) -> int:
    """The action that brings an agent nearer to its landmark: right, left, up or down."""
    dx, dy, _ = focus(state, agent)
    if abs(dx) > abs(dy):
        return 2 if dx > 0 else 1
    return 4 if dy > 0 else 3


def show(env: credit.CreditEnv, episodes: int) -> tuple[dict[str, float], float]:
    """Two agents walk to their landmarks, the last one drifts: mean credit of each in an episode, and the team's reward."""
    rng, paid, team = np.random.default_rng(0), dict.fromkeys(AGENTS, 0.0), 0.0
    for episode in range(episodes):
        env.reset(seed=episode)
        while env.agents:
            now = state(env)
            actions = {a: step_towards(now, a) for a in AGENTS[:2]} | {AGENTS[2]: int(rng.integers(5))}
            _, rewards, _, _, infos = env.step(actions)
            team += infos[AGENTS[0]]["team_reward"]
            paid = {a: paid[a] + rewards[a] for a in AGENTS}
    return {a: paid[a] / episodes for a in AGENTS}, team / episodes


def run(critic: dict[str, Any], out: Path, frames: int) -> dict[str, Any]:
    """Records, judges, labels, fits and plays."""
    env = simple_spread_v3.parallel_env(N=3, max_cycles=50, terminate_on_success=True)
    recording = credit.record(
        env, out / "spread.jsonl", state=state, features=features, focus=focus, describe=describe,
        truth=truth, team_truth=team_truth, frames=frames, limit=1000, params={"N": 3},
        overwrite=True,
    )  # fmt: skip
    votes, model = out / "spread.db", out / "spread.credit"
    votes.unlink(missing_ok=True)
    credit.collect(from_=recording.path, db=votes)
    judged = credit.judge(db=votes, **critic)
    credit.label(db=votes, **critic)
    fitted = credit.fit(db=votes, out=model)

    env = simple_spread_v3.parallel_env(N=3, max_cycles=25, local_ratio=0, terminate_on_success=True)
    wrapped = credit.wrap(env, model=model, state=state, features=features, focus=focus, success=success)
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
    options.add_argument("--frames", type=int, default=3_000, help="steps of random play to record")
    options.add_argument("--out", type=Path, default=Path("spread-out"), help="folder for what is made")
    o = options.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    critic: dict[str, Any] = {"critic": o.critic}
    if o.critic == "oracle":
        critic |= {"error_rate": 0.25, "queries": 3}
    got = run(critic, o.out, o.frames)
    print(f"{got['recording'].kept} transitions of {got['recording'].frames} frames, judged by {got['annotator']}")
    print(f"right about exact credit: the critic {got['critic']:.0%}, the models {got['model']:.0%} on held-out moves\n")
    print("credit of an episode in which agent_2 drifts:")
    for agent, value in got["paid"].items():
        print(f"  {agent}  {value:6.2f}   (team's reward: {got['team']:.2f})")


if __name__ == "__main__":
    main()
