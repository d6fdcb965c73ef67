"""What went wrong in an author's code, in one line."""

from __future__ import annotations

import os

from californiajack.errors import CaliforniaJackError


def explain(error: Exception) -> str:
    """Says in one line what went wrong and where in the author's code."""
    import traceback  # noqa: PLC0415 - most bots never fail

    text = str(error) if isinstance(error, CaliforniaJackError) else ""
    text = text or "".join(traceback.format_exception_only(error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    # pathlib would be imported for this alone
    here = os.path.dirname(__file__)  # noqa: PTH120
    library = os.path.dirname(os.__file__)  # noqa: PTH120
    own = [frame for frame in frames if not frame.filename.startswith((here, library))]
    if own:
        place = own[-1]
        text += f" (line {place.lineno} of {os.path.basename(place.filename)})"  # noqa: PTH119
    return text
