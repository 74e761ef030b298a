"""What services refuse. The message is for the person who asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from scoring.wording import counted


class DomainError(Exception):
    """A request that the rules do not allow; nothing was written."""


class NothingToClaim(DomainError):
    """There is no item for this person now. `finished` says whether that is for good; if not, `again_at` is when an item may be
    free at the latest, where that is known."""

    def __init__(self, message: str, *, finished: bool, again_at: datetime | None = None) -> None:
        super().__init__(message)
        self.finished = finished
        self.again_at = again_at


class ShareDone(NothingToClaim):
    """This person has given as many answers as were wanted of them."""

    def __init__(self, message: str) -> None:
        super().__init__(message, finished=True)


class NotAnnotator(DomainError):
    """The person is no annotator of the campaign."""


class NotYours(DomainError):
    """The claim belongs to somebody else."""


class InvitationError(DomainError):
    """The invitation link is unknown, used up or expired."""


class InvalidAnswer(DomainError):
    """The answer is not one that the campaign asks for."""


class AlreadyRunning(DomainError):
    """A job of which one at a time is enough is unfinished."""


class SettingsProblem(DomainError):
    """Settings that cannot be as wanted. `problems` says for each by name what is wrong; nothing was changed. Where it is
    one of several labels, `place` says which (from 0, as they were given) and what of it."""

    def __init__(self, problems: Mapping[str, str], titles: Mapping[str, str], place: tuple[int, str] | None = None) -> None:
        self.problems = dict(problems)
        self.place = place
        super().__init__(" ".join(f"{titles.get(name, name)}: {message}" for name, message in problems.items()))


class SheetHasGaps(DomainError):
    """A crowd would read an information sheet that still says `gaps` in [brackets]; opening asks whether that is meant."""

    def __init__(self, gaps: Sequence[str]) -> None:
        self.gaps = list(gaps)
        super().__init__(
            f"People from the platform would agree to a sheet that still says: {', '.join(gaps)}. Fill these in first."
        )


class TooMany(DomainError):
    """Too many tries in a short time; the message says how long to wait, and so does `seconds`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"Too many tries. Wait {counted(max(1, round(seconds / 60)), 'minute')}, then try again.")
