"""What services refuse. The message is for the person who asked."""

from __future__ import annotations


class DomainError(Exception):
    """A request that the rules do not allow; nothing was written."""


class NothingToClaim(DomainError):
    """There is no item for this person now. `finished` says whether that is for good."""

    def __init__(self, message: str, *, finished: bool) -> None:
        super().__init__(message)
        self.finished = finished


class NotYours(DomainError):
    """The claim belongs to somebody else."""


class InvitationError(DomainError):
    """The invitation link is unknown, used up or expired."""


class InvalidAnswer(DomainError):
    """The answer is not one that the campaign asks for."""


class AlreadyRunning(DomainError):
    """A job of which one at a time is enough is unfinished."""
