"""Teams of model agents behind any OpenAI-compatible endpoint, in worlds of words (docs/language-agents.md).

Asking models needs the extra ``marlpit[llm]``; importing this, and measuring the policies ``solution`` and ``random``,
needs nothing beside the client.
"""

from marlpit.llm._actions import BadAction, parse_action
from marlpit.llm._models import Answer, EndpointFailed, Model
from marlpit.llm._play import Episode, Policy, RandomPolicy, SolutionPolicy, play
from marlpit.llm._report import wilson
from marlpit.llm._team import Team

__all__ = [
    "Answer",
    "BadAction",
    "EndpointFailed",
    "Episode",
    "Model",
    "Policy",
    "RandomPolicy",
    "SolutionPolicy",
    "Team",
    "parse_action",
    "play",
    "wilson",
]
