"""Compiles the server into the wheel, and into the source tree for editable installs.

Environment variables: `MARLPIT_WHEEL_TARGET` names another system as GOOS/GOARCH, such as `linux/arm64`;
`MARLPIT_SKIP_BUILD=1` leaves the server out (`MARLPIT_SERVER` has to name one then).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The server is pure Go and needs no C library: any Linux and macOS 11 do.
TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64",
    "darwin/amd64": "macosx_11_0_x86_64",
    "darwin/arm64": "macosx_11_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


class ServerBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the Go program before the wheel is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the server, ships it and tags the wheel.

        Args:
            version: `standard` or `editable`.
            build_data: What hatchling goes by; changed in place.
        """
        if self.target_name != "wheel":
            raise RuntimeError("marlpit has no sdist: its server is a Go program outside this folder; build a wheel (--wheel)")
        if os.environ.get("MARLPIT_SKIP_BUILD") == "1":
            return
        go = shutil.which("go")
        if go is None:
            raise RuntimeError("Go is needed to build marlpit's wheel (https://go.dev); users of a wheel don't need it")
        target = os.environ.get("MARLPIT_WHEEL_TARGET") or self._host(go)
        if target not in TAGS:
            raise RuntimeError(f"MARLPIT_WHEEL_TARGET is one of {', '.join(TAGS)}; got {target}")
        system, machine = target.split("/")
        name = "marlpit.exe" if system == "windows" else "marlpit"
        here = Path(self.root)
        # An editable install runs from the tree; a wheel's binary stays out of it, whichever system it is for.
        folder = here / "src" / "marlpit" / "bin" if version == "editable" else Path(self._temporary())
        folder.mkdir(parents=True, exist_ok=True)
        binary = folder / name
        environment = {**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": machine}
        command = [go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(binary), "."]
        subprocess.run(command, cwd=here.parents[1], env=environment, check=True)
        binary.chmod(0o755)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{TAGS[target]}"
        if version != "editable":
            build_data["force_include"][str(binary)] = f"marlpit/bin/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the compiled server once it is in the wheel.

        Args:
            version: `standard` or `editable`.
            build_data: What hatchling went by.
            artifact_path: The wheel.
        """
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)

    _folders: tuple[str, ...] = ()

    def _temporary(self) -> str:
        folder = tempfile.mkdtemp(prefix="marlpit-wheel-")
        self._folders = (*self._folders, folder)
        return folder

    @staticmethod
    def _host(go: str) -> str:
        """Asks Go what this machine is, as GOOS/GOARCH."""
        clean = {k: v for k, v in os.environ.items() if k not in ("GOOS", "GOARCH")}
        out = subprocess.run([go, "env", "GOHOSTOS", "GOHOSTARCH"], env=clean, check=True, capture_output=True, text=True).stdout
        return "/".join(out.split())
