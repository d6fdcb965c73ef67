"""The temporary folders of series."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from californiajack_referee.sandbox.folders import series_folder, size_mib

_HOLDER = """
import tempfile, time
tempfile.tempdir = {folder!r}
from californiajack_referee.sandbox.folders import series_folder
with series_folder() as made:
    print(made, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives a folder for temporary files."""
    made = tmp_path_factory.mktemp("t")
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made


def test_nobody_else_may_look_in(folder: Path) -> None:
    """It is this user's alone, as is the one it stands in; both are gone after."""
    with series_folder() as made:
        assert made.stat().st_mode & 0o777 == 0o700
        assert made.parent.stat().st_mode & 0o777 == 0o700
        (made / "file").touch()
    assert list(folder.iterdir()) == []


def test_what_a_killed_process_left_is_removed(folder: Path) -> None:
    """A folder that is held stays; once its holder is killed, the next series removes it."""
    code = _HOLDER.format(folder=str(folder))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        held = Path(holder.stdout.readline().decode().strip())
        with series_folder() as made:
            assert made != held
            assert held.is_dir()
        assert held.is_dir()
        holder.send_signal(signal.SIGKILL)
    assert held.is_dir()
    with series_folder():
        assert not held.exists()
    assert list(folder.iterdir()) == []


def test_another_ones_folder_is_not_used(folder: Path, tmp_path: Path) -> None:
    """A link that was put in the folder's place is refused, and nothing is written behind it."""
    with series_folder() as made:
        name = made.parent.name
    (folder / name).symlink_to(tmp_path)
    with pytest.raises(OSError, match="found another's"), series_folder():
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_size_of_a_folder(tmp_path: Path) -> None:
    """Files count with their blocks, empty ones as well; holes don't; counting stops in time."""
    (tmp_path / "a").write_bytes(bytes(3 << 20))
    assert 3 <= size_mib(tmp_path, 100) < 3.1
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 30)
    assert size_mib(tmp_path, 100) < 3.1
    for number in range(300):
        (tmp_path / f"empty{number}").touch()
    assert size_mib(tmp_path, 100) > 4
