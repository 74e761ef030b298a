from __future__ import annotations

import pytest
import torch

from attacks.victims.memory import torch_memory


@pytest.mark.parametrize(
    "raised",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes"),
    ],
)
def test_memory_that_runs_out_is_a_memory_error(raised: Exception) -> None:
    with pytest.raises(MemoryError, match="allocate"), torch_memory():
        raise raised


def test_the_allocator_says_it_so() -> None:
    with pytest.raises(MemoryError, match="allocate"), torch_memory():
        torch.empty(2**55, dtype=torch.float64)


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(RuntimeError, match="shapes"), torch_memory():
        raise RuntimeError("shapes do not match")
