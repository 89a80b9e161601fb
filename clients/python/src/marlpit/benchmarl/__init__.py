"""BenchMARL: a task for each world. An extra: ``pip install "marlpit[train]"``.

Importing this makes the tasks known to BenchMARL as ``marlpit/<world>``; its own command finds them without any import.
"""

from benchmarl.environments import task_config_registry

from marlpit.benchmarl.algorithms import algorithm
from marlpit.benchmarl.evaluations import Evaluation, Evaluations
from marlpit.benchmarl.tasks import MarlpitClass, MarlpitTask

task_config_registry.update({f"marlpit/{t.name.lower()}": t for t in MarlpitTask.__members__.values()})

__all__ = ["Evaluation", "Evaluations", "MarlpitClass", "MarlpitTask", "algorithm"]
