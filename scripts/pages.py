"""What MkDocs has to be told to build the site from documents that also read well in a repository.

A document links to what lies beside `docs`: programs, `.proto` files, the changelog. In the site
these are pages of their own, and the links lead there. See `hooks` in mkdocs.yml.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PROJECT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md")
LANGUAGES = {".js": "js", ".json": "json", ".proto": "proto", ".py": "python", ".toml": "toml"}
LEFT_OUT = frozenset({"node_modules", "__pycache__", "package-lock.json"})
DECISIONS = "decisions/README.md"
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds a page for each document of the project and for each source that a document links to."""
    targets: set[str] = set()
    for file in files.documentation_pages():
        targets |= _sources(file.content_string, posixpath.join("docs", file.src_uri))
    for name in PROJECT_PAGES:
        text = (ROOT / name).read_text(encoding="utf-8")
        targets |= _sources(text, name)
        files.append(File.generated(config, f"project/{name}", content=text))
    for target in sorted(targets):
        files.append(File.generated(config, _page_of(target), content=_listing(target)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links to what lies beside `docs` into links to the pages made of it.

    The page of decisions gets a list of them, as a repository shows it by itself.
    """
    del config
    uri = page.file.src_uri
    if uri == DECISIONS:
        markdown += _decisions(files)
    place = uri.removeprefix("project/") if uri.startswith("project/") else f"docs/{uri}"

    def led(match: re.Match[str]) -> str:
        target = _target(match[1], place)
        if target is None:
            return match[0]
        address = posixpath.relpath(_page_of(target), posixpath.dirname(uri) or ".")
        return f"]({address}{match[2] or ''})"

    return LINK.sub(led, markdown)


def _decisions(files: Files) -> str:
    """Lists the decisions by their titles, each with a link."""
    lines = [
        f"- [{file.content_string.splitlines()[0].removeprefix('# ')}]({Path(file.src_uri).name})"
        for file in files.documentation_pages()
        if file.src_uri.startswith("decisions/0")
    ]
    return "\n" + "\n".join(sorted(lines, key=lambda line: line.rpartition("(")[2])) + "\n"


def _target(link: str, place: str) -> str | None:
    """Gives the path in the project that a link of a document means; None for other links."""
    if "://" in link or link.startswith(("mailto:", "/")):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(place), link))


def _sources(text: str, place: str) -> set[str]:
    """Gives the files and folders outside of `docs` that a document links to."""
    targets = {_target(match[1], place) for match in LINK.finditer(text)}
    return {
        target
        for target in targets
        if target
        and not target.startswith("docs")
        and target not in PROJECT_PAGES
        and (ROOT / target).exists()
    }


def _page_of(target: str) -> str:
    """Gives the page of the site for a path in the project."""
    if target in PROJECT_PAGES:
        return f"project/{target}"
    if target == "docs/decisions":
        return DECISIONS
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return f"source/{target}.md"


def _listing(target: str) -> str:
    """Shows a file, or all files of a folder, as a page."""
    path = ROOT / target
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    parts = [f"# {target}\n"]
    for file in files:
        if file.is_file() and LEFT_OUT.isdisjoint(file.parts):
            if file != path:
                parts.append(f"## {file.relative_to(path)}\n")
            language = LANGUAGES.get(file.suffix, "text")
            parts.append(f"````{language}\n{file.read_text(encoding='utf-8')}````\n")
    return "\n".join(parts)
