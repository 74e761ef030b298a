"""What a victim does when memory runs out: it raises `MemoryError`, whatever the library under it raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def torch_memory() -> Iterator[None]:
    """Within, PyTorch's ways of saying that memory ran out become `MemoryError`, so that whoever asks may ask for less.

    On a GPU PyTorch raises ``torch.OutOfMemoryError``; on the CPU its allocator raises a bare ``RuntimeError``.
    """
    import torch

    try:
        yield
    except torch.OutOfMemoryError as error:
        torch.cuda.empty_cache()
        raise MemoryError(str(error)) from None
    except RuntimeError as error:
        if "DefaultCPUAllocator" not in str(error):
            raise
        raise MemoryError(str(error)) from None
