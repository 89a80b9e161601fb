"""Step marlpit's worlds from Python.

Importing this registers them with PettingZoo and Gymnasium as ``marlpit/<id>``; it starts nothing.
"""

from marlpit import credit, errors
from marlpit._catalog import describe_env, list_envs
from marlpit._frames import Final, Note, Spec, Step
from marlpit._launcher import Server, serve, server_binary
from marlpit._registration import register as _register
from marlpit.aec import aec_env
from marlpit.errors import MarlpitError, ServerDied
from marlpit.parallel import ParallelEnv, parallel_env
from marlpit.vec import VecEnv, vec_env

_register()

__all__ = [
    "Final",
    "MarlpitError",
    "Note",
    "ParallelEnv",
    "Server",
    "ServerDied",
    "Spec",
    "Step",
    "VecEnv",
    "aec_env",
    "credit",
    "describe_env",
    "errors",
    "list_envs",
    "parallel_env",
    "serve",
    "server_binary",
    "vec_env",
]
