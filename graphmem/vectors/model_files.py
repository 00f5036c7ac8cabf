"""The model files that other packages carry: found without running those packages' code, and checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from graphmem.errors import Misconfigured


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A file inside an installed package, pinned.

    Attributes:
        package: Top-level package.
        distribution: What to install to get it.
        path: Path inside the package, with ``/``.
        sha256: Hexadecimal digest of the file.
    """

    package: str
    distribution: str
    path: str
    sha256: str

    def read(self) -> bytes:
        """The file's bytes. Hashing 23 MB takes about 15 ms, so nothing remembers an earlier check.

        Raises:
            Misconfigured: the package or the file is missing, or the file is another one.
        """
        place = self._folder() / self.path
        try:
            found = place.read_bytes()
        except OSError as error:
            raise Misconfigured(f"{place} cannot be read: {error.strerror}; {self._way_out()}") from error
        if hashlib.sha256(found).hexdigest() != self.sha256:
            raise Misconfigured(f"{place} is not the file that GraphMem was tested with; {self._way_out()}")
        return found

    def _folder(self) -> Path:
        # find_spec of a top-level package does not import it.
        spec = find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            raise Misconfigured(f"the package {self.distribution} is missing; {self._way_out()}")
        return Path(spec.submodule_search_locations[0])

    def _way_out(self) -> str:
        return f"run: pip install --force-reinstall --no-deps {self.distribution}"
