"""How gunicorn runs the web process, beside what `manage.py start` says on its command line."""

from __future__ import annotations

import os
from typing import Any

from annotation.management.lifetime import die_with_parent


def post_fork(server: Any, worker: Any) -> None:
    """Runs in each worker: one that outlived the server would keep its port, and the next start would be refused."""
    die_with_parent()
    if os.getppid() != server.pid:
        os._exit(1)
