"""Servers for the tests: one for all of them, and what it lists."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import marlpit

# What needs packages of its own; CI runs each folder in an environment of its own, without this file.
collect_ignore = ["heavy"]


@functools.cache
def test_server() -> marlpit.Server:
    """The server with the test worlds, shared by the whole run; ends with it."""
    return marlpit.serve(test_worlds=True)


# What ends, fails or crawls by design is played in tests of its own.
SHORT = {"test-count-v0": {"length": 200}, "test-stages-v0": {}, "test-uneven-v0": {}, "test-pixels-v0": {}}


def playable() -> list[str]:
    """Ids of all shipped worlds, and of the test worlds that play like one."""
    ids = [w["id"] for w in marlpit.list_envs(test_server().url)]
    return [i for i in ids if not i.startswith("test-") or i in SHORT]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs what takes a `world` for every one of them."""
    if "world" in metafunc.fixturenames and metafunc.function.__name__ != "test_make":
        metafunc.parametrize("world", playable())


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """Address of the test server."""
    yield test_server().url
    test_server().stop()


@pytest.fixture
def make(url: str) -> Iterator[Callable[..., marlpit.ParallelEnv]]:
    """Makes parallel environments on the test server and closes them."""
    made: list[marlpit.ParallelEnv] = []

    def build(id: str, **options: Any) -> marlpit.ParallelEnv:
        made.append(marlpit.parallel_env(id, url=url, **options))
        return made[-1]

    yield build
    for env in made:
        env.close()
