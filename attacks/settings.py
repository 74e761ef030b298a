"""A run's settings: everything that it takes to make the same run in another process or on another machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from attacks.errors import AttackError
from attacks.resources import Resources
from attacks.runs import Attack


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Plain values, ready for JSON; folders and files are paths that every process which takes part can read.

    ``task_dir`` holds the task, ``victim`` is a victim's folder, ``attacker`` a name of `attacks.attackers.ATTACKERS` with its
    ``parameters``; ``resources`` are `attacks.resources.Resources` by name, ``constraints`` some of
    `attacks.constraints.wanted.WANTED`. ``semantic`` chooses the semantic scorer (``none``, ``encoder``, ``bleurt:PATH``,
    ``bertscore:PATH``), ``segmentation`` the BODEGA task whose way of cutting sentences applies: by default the task's own, if it
    is one of BODEGA's, else HN's. For the others see `attacks.engine.run_attack`; ``texts`` attacks only the first so many.
    """

    task_dir: str
    victim: str
    attacker: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    resources: Mapping[str, str] = field(default_factory=dict)
    constraints: Mapping[str, Any] = field(default_factory=dict)
    targeted: bool = False
    budget: int | None = None
    seed: int = 0
    texts: int | None = None
    semantic: str = "encoder"
    segmentation: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RunSettings:
        """Undo `as_dict`. Raises `AttackError` for a setting that there is not, or that is missing."""
        known = {each.name for each in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise AttackError(f"unknown setting {unknown[0]!r}; there are {', '.join(sorted(known))}")
        try:
            return cls(**values)
        except TypeError as error:
            raise AttackError(f"the settings of a run are incomplete: {error}") from None

    def load(self) -> Attack:
        """Read the task and load victim, attacker and constraints. Raises what they raise if one of them is not there."""
        from attacks.attackers import make_attacker
        from attacks.constraints.wanted import make_constraints
        from attacks.tasks.layout import read_task
        from attacks.victims.training import load_victim
        from scoring.texts.semantic import semantic_scorer

        task = read_task(self.task_dir)
        return Attack(
            constraints=make_constraints(self.constraints),
            task=task,
            attacker=make_attacker(self.attacker, Resources.at(**self.resources), **self.parameters),
            victim=load_victim(self.victim),
            targeted=self.targeted,
            budget=self.budget,
            seed=self.seed,
            texts=self.texts,
            scorer=semantic_scorer(self.semantic),
            segmentation=self.segmentation or task.kind or "HN",
        )
