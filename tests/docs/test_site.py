"""The site is built from the documents without a warning, and needs nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import californiajack
import californiajack.search
import californiajack.testing

ROOT = Path(__file__).parents[2]
LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src")}


class Reader(HTMLParser):
    """Notes what a page links to, what it loads, and the anchors that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Reads a tag."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif (tag, name) in LOADED and value:
                self.loads.append(value)
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it: a warning or a dead link fails."""
    folder = tmp_path_factory.mktemp("site") / "site"
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Reader]:
    """All pages of the site, read."""
    readers = {}
    for page in site.rglob("*.html"):
        readers[page] = Reader()
        readers[page].feed(page.read_text(encoding="utf-8"))
    assert len(readers) > 20
    return readers


def test_every_link_and_anchor_is_there(pages: dict[Path, Reader]) -> None:
    """Each link within the site leads to a file, and to an anchor that its page has."""
    for page, reader in pages.items():
        if (
            page.name == "404.html"
        ):  # stands wherever something is missed, so its links are absolute
            continue
        for link in reader.links:
            if "://" in link:
                continue
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.is_file(), f"{page.name} -> {link}"
            if anchor and target in pages:
                assert anchor in pages[target].anchors, f"{page.name} -> {link}"


def test_the_site_loads_nothing_from_elsewhere(site: Path, pages: dict[Path, Reader]) -> None:
    """Pages and style sheets load fonts, scripts and pictures from the site alone."""
    for page, reader in pages.items():
        assert not [address for address in reader.loads if "//" in address], page.name
    for sheet in site.rglob("*.css"):
        for address in re.findall(r"url\(([^)]*)\)|@import", sheet.read_text(encoding="utf-8")):
            assert "//" not in address, f"{sheet.name}: {address}"


def test_the_reference_has_every_public_name(site: Path, pages: dict[Path, Reader]) -> None:
    """What the SDK's modules offer to bot authors, the reference tells of."""
    anchors = pages[site / "reference.html"].anchors
    for module in (californiajack, californiajack.search, californiajack.testing):
        names = {f"{module.__name__}.{name}" for name in module.__all__}
        assert names - anchors == set()


def test_what_stands_beside_the_documents_has_a_page(site: Path) -> None:
    """The programs, the protocol and the changelog that documents link to are in the site."""
    bot = (site / "source" / "sample_bots" / "greedy-js.html").read_text(encoding="utf-8")
    assert "bot.js" in bot
    assert "greedy.js" in bot
    assert "RefereeService" in (site / "source/proto/californiajack/v1.html").read_text("utf-8")
    assert (site / "project" / "CHANGELOG.html").is_file()


def test_the_page_of_decisions_lists_them_all(site: Path, pages: dict[Path, Reader]) -> None:
    """Each decision has its link there."""
    links = pages[site / "decisions" / "index.html"].links
    for decision in (ROOT / "docs" / "decisions").glob("0*.md"):
        assert f"{decision.stem}.html" in links


def test_a_dead_link_fails_the_build(tmp_path: Path) -> None:
    """A link to a page or an anchor that isn't there ends the build with an error."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A\n\n[b](b.md) [c](#c)\n")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    kept = [
        part for part in settings.split("\n\n") if part.startswith(("site_name", "# The", "val"))
    ]
    text = "\n\n".join(kept).replace("hooks: [scripts/pages.py]", "")
    (tmp_path / "mkdocs.yml").write_text(text)
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert built.returncode == 1
    assert "b.md" in built.stderr
    assert "#c" in built.stderr
