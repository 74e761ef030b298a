"""Two instructions for the same question: do people answer higher under one of them, and does that hang on the attacker?

Two things that are easily taken for one: a shift of the level moves all variants alike and leaves their order as it is; an
interaction of variant and instruction changes how the variants compare.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .clustered import Observed, cell_means
from .items import Item, Scores, check_scores
from .likert import by_variant
from .ranks import spearman_of


@dataclass(frozen=True, slots=True)
class InstructionReport:
    """`shift`: second less first instruction, the mean over the variants judged under both, each variant counting alike;
    `shift_p`: that it is 0. `variants`: the shift of each. `interaction_p`: that all variants shift alike. `order`: Spearman's
    correlation of the variants' means under the two."""

    shift: Estimate
    shift_p: Estimate
    variants: Mapping[str, Estimate]
    interaction_p: Estimate
    order: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "shift": self.shift.as_dict(),
            "shift_p": self.shift_p.as_dict(),
            "variants": {variant: shift.as_dict() for variant, shift in self.variants.items()},
            "interaction_p": self.interaction_p.as_dict(),
            "order": self.order.as_dict(),
        }


def compare_instructions(
    first: Scores[Item],
    second: Scores[Item],
    *,
    variant_of: Mapping[Item, str],
    cluster_of: Mapping[Item, Hashable] | None = None,
) -> InstructionReport:
    """The items judged under either instruction; the same item may be in both. Errors are clustered by `cluster_of` (the
    originals), or by item. ScoringError if no variant was judged under both."""
    check_scores(first)
    check_scores(second)
    one, other = by_variant(first, variant_of, cluster_of), by_variant(second, variant_of, cluster_of)
    variants = [variant for variant in one if variant in other]
    if not variants:
        raise ScoringError("No variant was judged under both instructions, so they cannot be compared.")
    observed: Observed = {f"{variant} 1": one[variant] for variant in variants} | {
        f"{variant} 2": other[variant] for variant in variants
    }
    cells = cell_means(observed)
    k = len(variants)
    shifts = np.hstack([-np.eye(k), np.eye(k)])
    shift, shift_p = cells.contrast(shifts.mean(axis=0).tolist())
    each = {variant: cells.contrast(shifts[place].tolist())[0] for place, variant in enumerate(variants)}
    if k < 2:
        reason = Reason("one_variant", "One variant was judged under both instructions, so nothing can shift apart.")
        interaction = Estimate(None, reason, shift.n, "p of the Wald F-test")
    else:
        interaction = cells.wald(shifts[1:] - shifts[:1])
    return InstructionReport(shift, shift_p, each, interaction, spearman_of(cells.means[:k], cells.means[k:]))
