"""A team of language agents plays tasks on the simulated phone.

    python llm_team.py --base-url http://127.0.0.1:8080 --model NAME [--env phone-v1] [--template NAME] [--agents N] …

The endpoint is any that speaks OpenAI's protocol; a key, where one is needed, is read from
OPENAI_API_KEY. What was said is kept as one JSON object a line in --transcript.
"""

from __future__ import annotations

import argparse
import json

import marlpit
from marlpit.llm import EndpointFailed, Model, Team


def main() -> None:
    """Plays some episodes and prints each turn."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--base-url", help="of the endpoint; OpenAI's own if absent")
    p.add_argument("--model", required=True, help="its name there")
    p.add_argument("--env", default="phone-v1", help="id of the world (phone-v1)")
    p.add_argument("--template", help="of the task; drawn if absent")
    p.add_argument("--agents", type=int, default=3, help="of the team (3)")
    p.add_argument("--rounds", type=int, default=2, help="of talk before an action is executed (2)")
    p.add_argument("--roles", default="none", help="none or planner-executor-checker (none)")
    p.add_argument("--episodes", type=int, default=3, help="to play (3)")
    p.add_argument("--transcript", default="llm_team.jsonl", help="file for every exchange (llm_team.jsonl)")
    p.add_argument("--url", help="of a marlpit server; one is started if absent")
    a = p.parse_args()
    task = {"template": a.template} if a.template else {}
    try:
        team = Team(Model(a.model, a.base_url), roles=a.roles, transcript=a.transcript)
        env = marlpit.parallel_env(a.env, url=a.url, text=True, agents=a.agents, rounds=a.rounds, **task)
        for seed in range(a.episodes):
            show(team.play(env, seed))
    except EndpointFailed as e:
        p.exit(1, f"{p.prog}: the model gave no answer: {e}\n")
    except marlpit.MarlpitError as e:
        p.error(str(e))
    except KeyboardInterrupt:
        p.exit(130, f"\n{p.prog}: interrupted; what was said is in {a.transcript}\n")


def show(episode: marlpit.llm.Episode) -> None:
    """Prints what was proposed, round by round, and what came of it."""
    for text in episode.rounds:
        told = json.loads(text)
        if told["turn"] == told["round"] == 0:
            print(f"\n{told['goal']}")
        said = ", ".join(f"{p['agent']}: {p.get('words', 'wasted')}" for p in told["proposals"])
        print(f"  turn {told['turn'] + 1}, round {told['round'] + 1}, on {told['screen']}: {said}")
    end = "success" if episode.success else "no success"
    print(f"  {end} after {episode.turns} actions and {episode.calls} calls: {episode.result}")


if __name__ == "__main__":
    main()
