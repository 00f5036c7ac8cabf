"""Where jars may come from: jgo's own default, and what the user's settings put in its place.

No address is written here. Settings are read, never changed.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from jgo.config import GlobalSettings
from jgo.maven import MavenContext

from graphmem.errors import Misconfigured

CENTRAL = "central"


def remote_repositories(home: Path | None = None) -> dict[str, str]:
    """Repositories by name, asked in this order.

    ``[repositories]`` of jgo's settings file wins by name; else a mirror of ``central`` (or of ``*``) in
    ``.m2/settings.xml`` under ``home`` (default: the user's) stands in for jgo's default.
    """
    found: dict[str, str] = dict(MavenContext().remote_repos)
    mirror = _mirror((home or Path.home()) / ".m2" / "settings.xml")
    if mirror is not None:
        found[CENTRAL] = mirror
    return found | GlobalSettings.load().repositories


def _mirror(settings: Path) -> str | None:
    """The address that Maven's settings file names for ``central``; None without one."""
    if not settings.is_file():
        return None
    try:
        root = ElementTree.parse(settings).getroot()
    except ElementTree.ParseError as error:
        raise Misconfigured(f"{settings} is no XML ({error}); mend it or move it away") from error
    for mirror in root.iterfind("{*}mirrors/{*}mirror"):
        of = (mirror.findtext("{*}mirrorOf") or "").split(",")
        url = (mirror.findtext("{*}url") or "").strip().rstrip("/")
        if url and {"*", CENTRAL, "external:*"} & {name.strip() for name in of} and f"!{CENTRAL}" not in of:
            return url
    return None
