"""The options that bubblewrap is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from californiajack_referee.sandbox.bubblewrap import HOME, SOCKET_FOLDER, Sandbox, options

_TWO = {"--bind", "--ro-bind", "--ro-bind-try", "--symlink"}


def mount_points(given: list[str]) -> list[Path]:
    """Gives all places that something is put at."""
    found = []
    for at, word in enumerate(given):
        if word in _TWO:
            found.append(Path(given[at + 2]))
        elif word in {"--tmpfs", "--proc", "--dev"}:
            found.append(Path(given[at + 1]))
    return found


@pytest.mark.parametrize("folder", ["/tmp/bots/fox", "/srv/league/bots/fox"])
@pytest.mark.parametrize("build", [False, True])
def test_nothing_stands_in_a_folder_that_can_be_written(folder: str, build: bool) -> None:  # noqa: FBT001 - a parameter
    """No mount point is below another one that the bot may write to."""
    sandbox = Sandbox(
        folder=Path(folder),
        program=Path("/usr/bin/node"),
        disk_mib=8,
        socket_folder=Path("/tmp/caljack-0/s-x/0"),
        writable=build,
        network=build,
    )
    points = mount_points(options(sandbox))
    assert {Path(folder), HOME, SOCKET_FOLDER} <= set(points)
    for writable in (HOME, Path("/dev/shm"), *([Path(folder)] if build else [])):
        assert [point for point in points if writable in point.parents] == []
    # where the bot's folder stands in /tmp, that leads to no place that can be written to
    assert (Path("/tmp") in points) is (not folder.startswith("/tmp") and _clear_of_tmp())


def _clear_of_tmp() -> bool:
    """Whether the project itself is kept elsewhere than in /tmp."""
    return not Path(__file__).is_relative_to("/tmp")


def test_what_is_needed_of_elsewhere_is_shown(tmp_path: Path) -> None:
    """A program in an installation of its own comes with all of that, another one alone."""
    whole, alone = tmp_path / "node" / "bin" / "node", tmp_path / "tool"
    whole.parent.mkdir(parents=True)
    (tmp_path / "node" / "lib").mkdir()
    for program, shown in ((whole, tmp_path / "node"), (alone, alone)):
        program.touch()
        given = options(Sandbox(folder=Path("/srv/fox"), program=program, disk_mib=1))
        at = given.index(str(shown))
        assert given[at - 1 : at + 2] == ["--ro-bind", str(shown), str(shown)]


def test_a_bot_has_no_network_and_a_build_has() -> None:
    """Only a build shares the network, with the settings that it takes."""
    bot = Sandbox(folder=Path("/srv/fox"), program=Path("/usr/bin/env"), disk_mib=1)
    build = Sandbox(bot.folder, bot.program, 1, writable=True, network=True)
    assert "--share-net" not in options(bot)
    assert "/etc/resolv.conf" not in options(bot)
    assert "--share-net" in options(build)
    assert "/etc/resolv.conf" in options(build)
    assert {"--unshare-all", "--disable-userns", "--die-with-parent"} <= set(options(bot))
