"""Words that carry grammar rather than content: the closed classes, and adverbs that say little."""

from __future__ import annotations

_WORDS = (
    # articles, demonstratives, quantifiers
    "a an the this that these those some any no every each either neither both all few many much more most less least "
    "several such other another enough own same "
    # pronouns and possessives
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we us "
    "our ours ourselves they them their theirs themselves one ones who whom whose which what whoever whatever whichever "
    "someone somebody something anyone anybody anything everyone everybody everything nobody nothing none "
    # prepositions and particles
    "of in on at by for from to with without within into onto upon over under above below between among through during "
    "before after since until till against about around across along behind beside beyond near off out up down toward "
    "towards via per despite except like unlike as than "
    # conjunctions and question words
    "and or but nor so yet if unless because although though while whereas whether when where why how once "
    # auxiliaries and negation
    "am is are was were be been being do does did doing done have has had having can could will would shall should may "
    "might must ought not n't never cannot can't won't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't "
    "hadn't couldn't wouldn't shouldn't mustn't "
    # adverbs of little content
    "there here then now too very just only also even again ever else rather quite almost still already"
)

FUNCTION_WORDS = frozenset(_WORDS.split())
