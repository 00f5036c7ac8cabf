"""GraphiQL in a browser, without a network: the page is ours, its libraries come from an installed package.

The package ``graphene-django-graphiql-static`` carries React, GraphiQL and its explorer as plain files. Only
those files are used, each checked by its SHA-256; none of its code runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from graphmem.api.answers import bad_request
from graphmem.errors import Misconfigured

PACKAGE = "graphene_django_graphiql_static"

LIBRARIES: Mapping[str, str] = {
    "react.production.min.js": "229bbf4d0e7488209564152c6723497f1ac3934136ca1684233d2fa88fa4146f",
    "react-dom.production.min.js": "9db33292007ab6c38527b39d5663e976a305564e19b2a5a8713ea2b2c00f505d",
    "graphiql.min.js": "c564de05b95d184e2c5ba5ceaf2635821f6bf92f2d5777b74d91004ff6b591d1",
    "graphiql.min.css": "c6cd4b83f01c5e1ff4975d77bc957184dce6dec0155fbf9cc4d9190eba8a7b9d",
    "graphiql-plugin-explorer.umd.js": "de152e8415dd5e57c28fa45378490916d121fe4506f9308301216914f2ebcef1",
    "style.css": "7c0d0b3d496e90c351e8be123d2785a834d86aff107568d0da7af9e7d6659f55",
}
"""SHA-256 of each library file of version 0.8."""

OWN_FILES = frozenset({"start.js", "page.css"})

TYPES: Mapping[str, str] = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing but our own files runs on the page, and it talks to nobody else."""


def page() -> Response:
    """The page itself; it holds no token and asks for one."""
    headers = {
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
    return Response(_own("page.html"), headers=headers, media_type=TYPES[".html"])


async def graphiql_file(request: Request) -> Response:
    """A file of the page."""
    name = request.path_params["name"]
    if name in OWN_FILES:
        content = _own(name)
    elif name in LIBRARIES:
        content = _library(name)
    else:
        return bad_request(404, "no such file")
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(content, headers=headers, media_type=TYPES[Path(name).suffix])


@cache
def _own(name: str) -> bytes:
    return files("graphmem.api").joinpath("graphiql_page", name).read_bytes()


@cache
def _library(name: str) -> bytes:
    """The library file.

    Raises:
        Misconfigured: The package is not installed, or the file is not the one that we know.
    """
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise Misconfigured("GraphiQL's files are missing; install graphene-django-graphiql-static==0.8")
    file = Path(found.origin).parent / "static" / PACKAGE / name
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != LIBRARIES[name]:
        raise Misconfigured(f"{name} of GraphiQL is not that of graphene-django-graphiql-static 0.8")
    return content
