"""Servers of our own: their start and end, forked and spawned children, and sessions of their own after a copy."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import marlpit
from marlpit import errors

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="about POSIX processes"),
    pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning"),
]


def gone(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process ends within that time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def pid_of(server: marlpit.Server) -> int:
    assert server._process is not None
    return server._process.pid


def test_a_server_is_private_and_leaves_nothing() -> None:
    with marlpit.serve() as server:
        folder = Path(server.log).parent
        assert folder.stat().st_mode & 0o777 == 0o700
        assert server.url == f"unix:{folder}/s"
        pid = pid_of(server)
        assert server.alive
    assert gone(pid)
    assert not folder.exists()
    assert not server.alive
    server.stop()


def test_without_unix_sockets_loopback_and_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marlpit._launcher.socket", type("socket", (), {}))
    monkeypatch.setenv("MARLPIT_TOKEN", "not this one")
    with marlpit.serve(test_worlds=True) as server:
        monkeypatch.undo()
        assert server.url.startswith("http://127.0.0.1:")
        env = marlpit.parallel_env("test-count-v0", url=server.url)  # this process knows the token
        env.reset()
        env.close()
        with pytest.raises(errors.Unauthorized):
            marlpit.parallel_env("test-count-v0", url=server.url, token="wrong")
        with pytest.raises(marlpit.MarlpitError, match="printable"):
            marlpit.parallel_env("test-count-v0", url=server.url, token="a\nb")


def test_a_dead_server_is_named_with_its_log() -> None:
    server = marlpit.serve(test_worlds=True)
    env = marlpit.parallel_env("test-count-v0", url=server.url)
    env.reset()
    os.kill(pid_of(server), signal.SIGKILL)
    with pytest.raises(marlpit.ServerDied, match=r"exit code -9; its log is .*server\.log") as e:
        env.step({"agent_0": 0, "agent_1": 0})
    assert e.value.log == server.log
    assert Path(server.log).exists()
    again = pickle.loads(pickle.dumps(e.value))
    assert (again.log, str(again)) == (server.log, str(e.value))
    env.close()
    server.stop()


@pytest.mark.parametrize("when", ["before send", "before recv"])
def test_a_dead_server_is_named_wherever_a_batch_meets_it(when: str) -> None:
    server = marlpit.serve(test_worlds=True)
    env, actions = marlpit.vec_env("test-count-v0", 2, url=server.url), np.zeros((2, 2), int)
    env.reset()
    moves = [lambda: env.send(actions), lambda: env.step(actions), env.reset]
    if when == "before recv":
        os.kill(pid_of(server), signal.SIGSTOP)  # it takes the request into its grave
        os.waitpid(pid_of(server), os.WUNTRACED)  # all its threads have stopped
        env.send(actions)
        moves.insert(0, env.recv)
    os.kill(pid_of(server), signal.SIGKILL)
    while server.alive:
        time.sleep(0.01)
    for move in moves:
        with pytest.raises(marlpit.ServerDied, match=r"its log is .*server\.log"):
            move()
    env.close()
    server.stop()


def test_a_server_that_does_not_start_is_named_with_its_log(tmp_path: Path) -> None:
    with pytest.raises(marlpit.ServerDied, match="did not start; its log is") as e:
        marlpit.serve(credit=[tmp_path / "none.credit"])
    assert "none.credit" in Path(e.value.log).read_text()


MODELS = Path(__file__).parents[3] / "models"


def test_one_model_alone() -> None:
    with marlpit.serve(credit=str(MODELS / "two-switch-v1.credit"), shipped=False) as server:
        env = marlpit.vec_env("two-switch-v1", 1, reward="credit", url=server.url)
        assert env.reward["model"] == "two-switch-v1"
        with pytest.raises(errors.Invalid, match="needs a model of the kind agents for victim-rubble-v1"):
            marlpit.vec_env("victim-rubble-v1", 1, reward="credit", url=server.url)


def test_paths_may_have_commas(tmp_path: Path) -> None:
    folder = tmp_path / "runs,1"
    folder.mkdir()
    models = [
        Path(shutil.copyfile(MODELS / f"{world}.credit", folder / f"{world}.credit"))
        for world in ("two-switch-v1", "victim-rubble-v1")
    ]
    with marlpit.serve(credit=models, shipped=False) as server:
        for model in models:
            assert marlpit.vec_env(model.stem, 1, reward="credit", url=server.url).reward["model"] == model.stem


@pytest.mark.parametrize("name", ["CREDIT", "SCORES", "PROCESS"])
def test_files_for_other_servers_are_not_loaded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"MARLPIT_{name}", "none")
    with marlpit.serve() as server:
        assert server.alive


def test_critics_and_their_folder(tmp_path: Path) -> None:
    critics, state = tmp_path / "critics.toml", tmp_path / "state"
    critics.write_text('[critics.mine]\nkind = "coin"\n')
    with marlpit.serve(critics=critics, state_dir=state) as server:
        reward = {"scheme": "credit", "live": {"critic": "mine"}}
        marlpit.vec_env("two-switch-v1", 1, reward=reward, url=server.url)
        assert len(list((state / "labelings").iterdir())) == 1
        with pytest.raises(errors.Invalid, match=r"there are .*mine.*; serve --critics FILE adds some"):
            marlpit.vec_env("two-switch-v1", 1, reward={"scheme": "credit", "live": {"critic": "yours"}}, url=server.url)


def test_scores_and_scorers_of_rounds(tmp_path: Path) -> None:
    rounds, scores, scorer = (str(tmp_path / name) for name in ("rounds.jsonl", "scores.db", "mine.process"))
    for arguments in (
        ["rounds", "--env", "phone-v1", "--rounds", "30", "--out", rounds],
        ["score", "--rounds", rounds, "--db", scores, "--critic", "solution"],
        ["fit-process", "--db", scores, "--out", scorer],
    ):
        subprocess.run([marlpit.server_binary(), *arguments], check=True, capture_output=True)
    with marlpit.serve(scores=scores, process=[scorer]) as server:
        for option, name in (("scores", "scores"), ("model", "mine")):
            reward = {"scheme": "process", option: name}
            assert marlpit.vec_env("phone-v1", 1, reward=reward, url=server.url).reward[option] == name


def test_marlpit_server_names_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MARLPIT_SERVER", str(tmp_path / "none"))
    with pytest.raises(marlpit.MarlpitError, match="MARLPIT_SERVER names"):
        marlpit.serve()
    fake = tmp_path / "fake"
    fake.write_text("#!/bin/sh\necho hello; echo trouble >&2\n")
    fake.chmod(0o755)
    monkeypatch.setenv("MARLPIT_SERVER", str(fake))
    assert marlpit.server_binary() == str(fake)
    with pytest.raises(marlpit.ServerDied, match="trouble"):
        marlpit.serve()
    fake.write_text('#!/bin/sh\necho \'{"unix":"x","tcp":"","version":"9","wire":9}\'; cat\n')
    with pytest.raises(marlpit.MarlpitError, match="speaks version 9"):
        marlpit.serve()


PARENT = """
import marlpit, os, sys, time, multiprocessing
server = marlpit._launcher.shared()
child = None
if sys.argv[1] == "fork":
    child = os.fork()
    if child == 0:
        time.sleep(60)  # outlives its parent
        os._exit(0)
if sys.argv[1] == "exec":
    import subprocess
    child = subprocess.Popen(["sleep", "60"], close_fds=False).pid
print(server._process.pid, child or 0, flush=True)
if sys.argv[1] == "end":
    sys.exit(0)
time.sleep(60)
"""


@pytest.mark.parametrize("how", ["end", "alone", "fork", "exec"])
def test_no_server_outlives_its_process(how: str) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, how], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    server, child = map(int, parent.stdout.readline().split())
    if how != "end":
        os.kill(server, 0)
        parent.kill()
    parent.wait()
    parent.stdout.close()
    try:
        assert gone(server)
    finally:
        if child:
            os.kill(child, signal.SIGKILL)


def in_child(env: marlpit.ParallelEnv, results: Any) -> None:
    """Plays the parent's environment in a child."""
    try:
        env.step({"mover_0": [0, 0], "talker_0": [0, 0, 0]})
        results.put("stepped without a reset")
    except errors.NotReset:
        pass
    env.reset()
    states = [env.reset()[0]["talker_0"].tolist() for _ in range(5)]
    server = env._session.client.server
    results.put((env.seed, states, server._process.pid if server else 0))


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_child_has_a_session_and_a_stream_of_its_own(url: str, start: str) -> None:
    context = multiprocessing.get_context(start)
    env = marlpit.parallel_env("test-uneven-v0", url=url, seed=3, cells=20)
    env.reset()
    results = context.SimpleQueue()
    children = [context.Process(target=in_child, args=(env, results)) for _ in range(2)]
    for c in children:
        c.start()
    for c in children:
        c.join(30)
        assert c.exitcode == 0
    got = [results.get() for _ in children]
    mine = [env.reset()[0]["talker_0"].tolist() for _ in range(5)]
    assert len({str(states) for states in (mine, got[0][1], got[1][1])}) == 3
    assert len({3, got[0][0], got[1][0]}) == 3
    env.step({"mover_0": [0, 0], "talker_0": [0, 0, 0]})  # the parent's goes on
    env.close()
    results.close()


def test_a_forked_child_starts_a_server_of_its_own() -> None:
    mine = marlpit._launcher.shared()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            other = marlpit._launcher.shared()
            os.write(write, f"{pid_of(other)} {mine.alive}".encode())
            mine.stop()  # not the child's to stop
            other.stop()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    pid, alive = os.read(read, 100).decode().split()
    os.close(read)
    os.close(write)
    assert int(pid) != pid_of(mine)
    assert alive == "False"
    assert gone(int(pid))
    assert mine.alive
    assert marlpit._launcher.shared() is mine
    assert isinstance(marlpit.list_envs(), list)


@pytest.mark.parametrize("pickler", [pickle, cloudpickle])
def test_unpickling_opens_a_session_of_its_own(url: str, pickler: Any) -> None:
    env = marlpit.parallel_env("test-uneven-v0", url=url, seed=3, mask="obs", render_mode=None, cells=20)
    data = pickler.dumps(env)
    others = [pickle.loads(data) for _ in range(2)]
    streams = [[e.reset()[0]["talker_0"]["observation"].tolist() for _ in range(6)] for e in (env, *others)]
    assert len({str(s) for s in streams}) == 3
    assert len({e._session.id for e in (env, *others)}) == 3
    seeded = [e.reset(seed=8)[0]["talker_0"]["observation"].tolist() for e in (env, *others)]
    assert seeded[0] == seeded[1] == seeded[2]
    for e in (env, *others):
        e.close()


def test_sessions_end_with_their_objects(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 2, url=url)
    session = env._session.id
    watcher = marlpit.vec_env("test-count-v0", 2, url=url)
    del env
    with pytest.raises(errors.SessionExpired):
        watcher._session.client.call("GET", f"/v1/sessions/{session}")


def test_importing_starts_nothing() -> None:
    program = "import marlpit, sys; assert not marlpit._launcher._servers; assert marlpit._launcher._shared is None"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_console_script_is_the_program() -> None:
    program = "import sys; from marlpit._cli import main; sys.argv = ['marlpit', *sys.argv[1:]]; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", program, "version"], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.startswith("marlpit ")
    wrong = subprocess.run([sys.executable, "-c", program, "no-such-command"], stderr=subprocess.PIPE, check=False)
    assert wrong.returncode == 2
    env = {**os.environ, "MARLPIT_SERVER": "/none"}
    none = subprocess.run([sys.executable, "-c", program], env=env, stderr=subprocess.PIPE, text=True, check=False)
    assert none.returncode == 1
    assert none.stderr.startswith("marlpit: MARLPIT_SERVER names")


def test_implicit_server_is_shared_in_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARLPIT_TOKEN", "of another server")
    first = marlpit._launcher.shared()
    assert marlpit._launcher.shared() is first
    assert marlpit.list_envs() == marlpit.list_envs(first.url)
    os.kill(pid_of(first), signal.SIGKILL)
    assert first._process is not None
    first._process.wait(10)
    assert marlpit._launcher.shared() is not first  # a new one, where that died
    first.stop()
    assert np.array_equal([w["id"] for w in marlpit.list_envs()], list(marlpit._registration.WORLDS))


def test_a_reply_that_is_under_way_is_the_parents() -> None:
    with marlpit.vec_env("two-switch-v1", 2, seed=0, autoreset="disabled") as env:
        env.reset()
        env.send(np.full((2, 2), 1))
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                env.recv()
            except marlpit.MarlpitError as e:
                os.write(write, str(e).encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert os.read(read, 100) == b"recv without send"
        os.close(read)
        os.close(write)
        step = env.recv()
        assert step.info["episode_length"].tolist() == [[1, 1], [1, 1]]
