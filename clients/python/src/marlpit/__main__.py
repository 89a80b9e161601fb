"""``python -m marlpit``: the commands that are Python's."""

from __future__ import annotations

import sys

USAGE = """usage: python -m marlpit ablate …      compare reward schemes with real learners, and report on it
       python -m marlpit evaluate …    have a team of language models play

Each says more with --help. The other commands (serve, envs, collect, label, fit …) are those of the program: marlpit --help"""


def main(words: list[str]) -> int:
    """Runs a command.

    Returns:
        Its exit code: 2 for a wrong call.
    """
    if words[:1] == ["evaluate"]:
        from marlpit.llm._command import main as evaluate

        return evaluate(words[1:])
    if words[:1] == ["ablate"]:
        try:
            from marlpit.ablate._command import main as ablate

            return ablate(words[1:])
        except ImportError as e:  # matplotlib and scipy are wanted by runs and by reports
            print(f"python -m marlpit ablate: {e}: install marlpit[ablate]", file=sys.stderr)
            return 1
    wanted = words[:1] in (["-h"], ["--help"])
    print(USAGE, file=sys.stdout if wanted else sys.stderr)
    return 0 if wanted else 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # while modules were imported: commands say it for themselves
        print("\npython -m marlpit: interrupted", file=sys.stderr)
        sys.exit(130)
