"""Tasks: labelled texts, split into training, development and attack sets."""

from __future__ import annotations

from attacks.tasks.layout import Row, Task, decode, decode_loosely, encode, read_rows, read_task, write_task

__all__ = ["Row", "Task", "decode", "decode_loosely", "encode", "read_rows", "read_task", "write_task"]
