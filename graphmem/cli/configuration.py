"""The settings as the command line reads them: a bad one is one clear line."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_settings import SettingsError

from graphmem.errors import InvalidInput, shown
from graphmem.settings import Settings


def load_settings() -> Settings:
    """The settings of this process.

    Raises:
        InvalidInput: A variable has a value that cannot be; names the variable and the value.
    """
    try:
        return Settings()
    except SettingsError as error:
        # Raised for a list that is no JSON; says the field in lower case, and nothing of the value.
        name = str(error).partition('"')[2].partition('"')[0].upper()
        raise InvalidInput(f"GRAPHMEM_{name}", 'is no JSON list, such as ["one", "two"]') from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = "GRAPHMEM_" + "_".join(str(part) for part in first["loc"][:1]).upper()
        # The value of a secret never reaches a message.
        value = "" if _secret(name) else f"{shown(first['input'])}: "
        raise InvalidInput(name, f"is {value}{first['msg']}") from error


def _secret(name: str) -> bool:
    return name.endswith(("PASSWORD", "KEY", "TOKEN"))
