"""The enums of the API are those of the rules themselves; here they get their names and descriptions.

Strawberry notes them on the classes, so the types of the API name the classes, imported from here.
"""

from __future__ import annotations

import strawberry

from graphmem.access.actions import Action
from graphmem.memory.commands import MemoryOrder, SearchMode
from graphmem.memory.model import Kind, Label, Status, WriteAction

strawberry.enum(Kind, name="Kind", description="What sort of fact it is, weakest first.")
strawberry.enum(Status, name="Status", description="Where a memory stands in governance.")
strawberry.enum(Label, name="MemoryLabel", description="What sort of memory it is.")
strawberry.enum(SearchMode, name="SearchMode", description="Which channels a search asks.")
strawberry.enum(
    MemoryOrder, name="MemoryOrder", description="Orders of a list; each ends with time of writing, then id."
)
strawberry.enum(WriteAction, name="WriteAction", description="What a write did.")
strawberry.enum(Action, name="Action", description="What rules allow or deny.")

__all__ = ["Action", "Kind", "Label", "MemoryOrder", "SearchMode", "Status", "WriteAction"]
