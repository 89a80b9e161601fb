"""Credit for the agents of anybody's environment, without a server.

`record` has transitions of a PettingZoo parallel environment described in words; `collect`, `label` and `fit` make a scoring
model of them; `wrap` pays its differences, as docs/your-own-environment.md tells.
"""

from marlpit.credit.command import CommandFailed, collect, fit, judge, label
from marlpit.credit.model import Model
from marlpit.credit.record import record
from marlpit.credit.recorder import Recording
from marlpit.credit.wrap import CreditEnv, wrap

__all__ = ["CommandFailed", "CreditEnv", "Model", "Recording", "collect", "fit", "judge", "label", "record", "wrap"]
