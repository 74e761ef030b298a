"""The word attacks of CLEF 2024 CheckThat! task 6 (InCrediblAE; Przybyła et al. 2024, CEUR-WS 3740, paper 28), after what is
known of the teams' notebooks."""

from __future__ import annotations

from attacks.attackers.base import NamedAttacker, Recipe
from attacks.attackers.beam import Beam
from attacks.attackers.ensemble import Ensemble
from attacks.attackers.exhaustive import Exhaustive
from attacks.attackers.genetic import Genetic
from attacks.attackers.in_turn import ImportantSynonyms, MaskedShift
from attacks.resources import DICTIONARY, MASKED_LM, VECTORS, WORDNET, Resources
from attacks.substitutes.masked import MaskedWords, model_at


def _openfact(resources: Resources) -> NamedAttacker:
    return Ensemble([Exhaustive.made_with(resources), Genetic.made_with(resources)])


def _palori(resources: Resources) -> NamedAttacker:
    return MaskedShift.made_with(resources)


def _texttrojaners(resources: Resources) -> NamedAttacker:
    return Beam(substitutes=MaskedWords(model_at(resources.masked_lm), "masked"))


def _mmu_nlp_lexical(resources: Resources) -> NamedAttacker:
    return ImportantSynonyms.made_with(resources)


OPENFACT = Recipe(
    "incrediblae:openfact",
    "words",
    "Lewoniewski et al. 2024, OpenFact at CheckThat! 2024 (arXiv 2409.02649)",
    _openfact,
    needs=(MASKED_LM, VECTORS, DICTIONARY),
)
"""Team OpenFact: a variant of BERT-ATTACK that tries all positions for 1 to 7 words, then the genetic attack where it fails.

What is unknown here: in which order their variant goes through the combinations of positions. Here each further word is
chosen with those before it fixed, where all combinations would be too many to ask about; the genetic attack is `genetic` with
its own settings, so without their word list.
"""

PALORI = Recipe(
    "incrediblae:palori",
    "words",
    "He et al. 2024, Palöri at CheckThat! 2024 (CEUR-WS 3740, paper 43)",
    _palori,
    needs=(MASKED_LM, VECTORS, DICTIONARY),
)
"""Team Palöri: GloTa, which combines substitutes by RoBERTa with neighbours by GloVe.

What is unknown here: how they combine the two, their numbers and thresholds. Here GloVe is what a word falls back on; give the
folder of RoBERTa as the masked language model.
"""

TEXTTROJANERS = Recipe(
    "incrediblae:texttrojaners",
    "words",
    "BeamAttack, TextTrojaners at CheckThat! 2024; Przybyła et al. 2024 (CEUR-WS 3740, paper 28)",
    _texttrojaners,
    needs=(MASKED_LM,),
)
"""Team TextTrojaners: importance-guided beam search over words that are kept, replaced or removed, with substitutes by a masked
language model; give the folder of RoBERTa.

How it differs from the team's code stands in `attacks.attackers.beam`.
"""

MMU_NLP_LEXICAL = Recipe(
    "incrediblae:mmu-nlp-lexical",
    "words",
    "Roadhouse et al. 2024, MMU NLP at CheckThat! 2024 (CEUR-WS 3740, paper 53)",
    _mmu_nlp_lexical,
    needs=(WORDNET, DICTIONARY),
)
"""Importance by masking as team MMU_NLP has it for its homoglyphs, with whole words replaced instead.

What is unknown here: the words that they tried. Here they are synonyms by WordNet.
"""
