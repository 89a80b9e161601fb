"""Makes marlpit's tasks known to BenchMARL's own command, ``python -m benchmarl.run task=marlpit/two_switch_v1``.

Hydra imports whatever is in this namespace; in any other program than BenchMARL it does nothing.
"""

from __future__ import annotations

import sys

from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.search_path_plugin import SearchPathPlugin


class MarlpitTasks(SearchPathPlugin):
    """Adds the folder of the tasks' configs."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        """Registers the tasks and appends their configs to what Hydra searches."""
        if "benchmarl" in sys.modules:
            import marlpit.benchmarl  # noqa: F401

            search_path.append("marlpit", "pkg://marlpit.benchmarl.conf")
