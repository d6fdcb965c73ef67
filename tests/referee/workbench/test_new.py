"""New bots from templates."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from californiajack import InputError
from californiajack_referee.submission.manifest import read_manifest
from californiajack_referee.workbench.new import Language, templates_folder, write_new_bot

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "sample_bots" / "greedy-js"


def test_its_own_test_passes_with_the_sdk_only(tmp_path: Path) -> None:
    """`python -m unittest` in a new bot's folder runs its tests, and pytest isn't there."""
    write_new_bot(tmp_path / "fox", Language.PYTHON)
    program = (
        "import sys, unittest;"
        "sys.modules['pytest'] = sys.modules['californiajack_referee'] = None;"
        "unittest.main(module=None, argv=['unittest'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path / "fox",
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr


@pytest.mark.node
@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is missing")
def test_the_javascript_test_passes_without_packages(tmp_path: Path) -> None:
    """`node --test` in a new bot's folder runs its tests."""
    write_new_bot(tmp_path / "fox", Language.JAVASCRIPT)
    done = subprocess.run(
        ["node", "--test"],
        cwd=tmp_path / "fox",
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == 0, done.stdout
    assert "pass 3" in done.stdout


@pytest.mark.parametrize("language", Language)
def test_the_name_is_everywhere(tmp_path: Path, language: Language) -> None:
    """The folder's name, or the one that is given, takes the place of the template's."""
    assert write_new_bot(tmp_path / "fox", language) == "fox"
    assert write_new_bot(tmp_path / "hen", language, "bantam-2") == "bantam-2"
    assert read_manifest(tmp_path / "fox").name == "fox"
    assert read_manifest(tmp_path / "hen").name == "bantam-2"
    texts = [p.read_text() for p in (tmp_path / "hen").rglob("*") if p.is_file()]
    assert not any("my-bot" in text for text in texts)
    readme = (tmp_path / "fox" / "README.md").read_text().splitlines()
    assert readme[0] == "# fox"
    assert len([line for line in readme if line]) <= 10


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    """Nothing is ever written over, and an empty folder is welcome."""
    (tmp_path / "empty").mkdir()
    write_new_bot(tmp_path / "empty", Language.PYTHON)
    (tmp_path / "file").touch()
    for name, found in (("empty", "a folder that holds something"), ("file", "a file")):
        with pytest.raises(InputError, match=found):
            write_new_bot(tmp_path / name, Language.PYTHON, "fox")
    with pytest.raises(InputError, match="can't be written"):
        write_new_bot(tmp_path / "file" / "below", Language.PYTHON)


@pytest.mark.parametrize("name", ["Fox", "a b", "", "x" * 33, 'a"b', "../fox"])
def test_a_bad_name_is_refused(tmp_path: Path, name: str) -> None:
    """The message says what a name has to be, and nothing is written."""
    with pytest.raises(InputError, match="lower-case letters"):
        write_new_bot(tmp_path / "fox", Language.PYTHON, name)
    assert not (tmp_path / "fox").exists()
    with pytest.raises(InputError, match="or give --name"):
        write_new_bot(tmp_path / "Fox_1", Language.PYTHON)


def test_the_javascript_template_speaks_the_protocol_as_the_sample_does() -> None:
    """Its conversation, its protocol and its packages are those of greedy-js."""
    template = templates_folder() / "javascript"
    for file in (SAMPLE / "proto").rglob("*.proto"):
        copy = template / file.relative_to(SAMPLE)
        assert copy.read_bytes() == file.read_bytes()
    talk = (SAMPLE / "bot.js").read_text().replace('"./greedy.js"', '"./choose.js"')
    assert (template / "bot.js").read_text() == talk.replace(
        "replace greedy.js", "write your own choose.js"
    )
    lock = (SAMPLE / "package-lock.json").read_text().replace("greedy-js", "my-bot")
    assert (template / "package-lock.json").read_text() == lock


def test_every_file_of_the_templates_is_in_the_wheel() -> None:
    """The build's list names each of them, so that `caljack new` works without a clone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    tracked = subprocess.run(
        ["git", "ls-files", "bot_templates"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split() or [str(p.relative_to(ROOT)) for p in templates_folder().glob("*/*.*")]
    for path in tracked:
        inside = path.split("/proto/")[0] + "/proto" if "/proto/" in path else path
        assert named[inside] == f"californiajack_referee/{inside}"
