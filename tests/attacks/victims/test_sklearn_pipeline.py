"""Pipelines of scikit-learn: in memory, kept, and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import TruncatedSVD
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, SelectPercentile, VarianceThreshold, chi2, f_classif
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import Binarizer, MaxAbsScaler, Normalizer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from attacks import AttackError
from attacks.tasks import Task
from attacks.victims import SklearnVictim, load_victim, save_victim
from attacks.victims.sklearn_pipeline import SKOPS
from scoring.model_folder import ModelFolderError, dump_skops

CLASSIFIERS = {
    "logistic": make_pipeline(TfidfVectorizer(), VarianceThreshold(), LogisticRegression()),
    "union": make_pipeline(
        make_union(TfidfVectorizer(ngram_range=(1, 2)), CountVectorizer(analyzer="char_wb", ngram_range=(2, 3))),
        MaxAbsScaler(),
        SGDClassifier(loss="log_loss"),
    ),
    "hashing": make_pipeline(HashingVectorizer(n_features=256, alternate_sign=False), TfidfTransformer(), MultinomialNB()),
    "complement": make_pipeline(CountVectorizer(stop_words="english"), ComplementNB()),
    "bernoulli": make_pipeline(CountVectorizer(), Binarizer(), BernoulliNB()),
    "svm": make_pipeline(TfidfVectorizer(), SelectKBest(chi2, k=5), CalibratedClassifierCV(LinearSVC())),
    "network": make_pipeline(TfidfVectorizer(), TruncatedSVD(4), StandardScaler(), MLPClassifier((4,), max_iter=20, tol=1e9)),
    "gaussian": make_pipeline(TfidfVectorizer(), TruncatedSVD(4), Normalizer(), GaussianNB()),
    "forest": make_pipeline(TfidfVectorizer(), SelectPercentile(f_classif), RandomForestClassifier(4)),
    "extra": make_pipeline(TfidfVectorizer(), ExtraTreesClassifier(4)),
    "tree": make_pipeline(TfidfVectorizer(), DecisionTreeClassifier()),
    "voting": make_pipeline(
        CountVectorizer(), VotingClassifier([("a", LogisticRegression()), ("b", MultinomialNB())], voting="soft")
    ),
}


def fitted(pipeline: Any, task: Task) -> Any:
    return pipeline.fit([row.text for row in task.train], [row.label for row in task.train])


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_kept_pipeline_answers_as_before(name: str, weather: Task, tmp_path: Path) -> None:
    pipeline = fitted(CLASSIFIERS[name], weather)
    save_victim(SklearnVictim(pipeline), weather, tmp_path / "v", force=True)
    texts = ["", *(row.text for row in weather.attack)]
    kept = load_victim(tmp_path / "v")
    assert np.array_equal(kept.predict_proba(texts), np.round(pipeline.predict_proba(texts), 9))
    assert np.array_equal(kept.predict_proba(texts), np.vstack([kept.predict_proba([text]) for text in texts]))


def test_in_memory_it_is_known_by_what_it_learned(weather: Task) -> None:
    first = SklearnVictim(fitted(make_pipeline(CountVectorizer(), MultinomialNB()), weather))
    again = SklearnVictim(fitted(make_pipeline(CountVectorizer(), MultinomialNB()), weather))
    other = SklearnVictim(fitted(make_pipeline(CountVectorizer(), MultinomialNB(alpha=2)), weather))
    assert first.sha256 == again.sha256 != other.sha256


def test_a_pipeline_of_ones_own_parts_works_in_memory_only(weather: Task, tmp_path: Path) -> None:
    pipeline = fitted(
        make_pipeline(CountVectorizer(tokenizer=lambda text: text.split(), token_pattern=None), MultinomialNB()), weather
    )
    with pytest.raises(AttackError, match=r"cannot be hashed .* give the victim a sha256"):
        SklearnVictim(pipeline)
    victim = SklearnVictim(pipeline, sha256="mine")
    assert victim.predict_proba(["secret"])[0, 1] > 0.5
    named = SklearnVictim(
        fitted(make_pipeline(CountVectorizer(tokenizer=str.split, token_pattern=None), MultinomialNB()), weather)
    )
    with pytest.raises(AttackError, match="this pipeline cannot be kept: The skops file names a type that is not allowed"):
        save_victim(named, weather, tmp_path / "v")
    assert not (tmp_path / "v").exists()


def test_what_gives_no_probabilities_of_0_and_1_is_refused(weather: Task) -> None:
    with pytest.raises(AttackError, match="has no predict_proba; a linear SVM gets one in a CalibratedClassifierCV"):
        SklearnVictim(fitted(make_pipeline(TfidfVectorizer(), LinearSVC()), weather))
    texts, labels = [row.text for row in weather.train], ["no" if row.label else "yes" for row in weather.train]
    with pytest.raises(AttackError, match="its classes must be 0"):
        SklearnVictim(make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(texts, labels))


def test_a_crafted_file_is_refused(weather: Task) -> None:
    with pytest.raises(ModelFolderError, match=r"not allowed here: sklearn\.dummy\.DummyClassifier"):
        SklearnVictim.from_files({SKOPS: dump_skops(DummyClassifier())}, {}, "")
    words = fitted(make_pipeline(CountVectorizer(), MultinomialNB()), weather)
    words[0].vocabulary_["secret"] = 10**6
    with pytest.raises(AttackError, match="a vocabulary that is not sound"):
        SklearnVictim.from_files({SKOPS: dump_skops(words)}, {}, "")
    tree = fitted(make_pipeline(TfidfVectorizer(), DecisionTreeClassifier()), weather)
    tree[1].tree_.children_left[0] = 0  # its root is its own child
    with pytest.raises(AttackError, match="a tree that is not sound"):
        SklearnVictim.from_files({SKOPS: dump_skops(tree)}, {}, "")
    forest = fitted(make_pipeline(TfidfVectorizer(), RandomForestClassifier(2)), weather)
    forest[1].estimators_[0].n_features_in_ += 1
    with pytest.raises(AttackError, match="not sound"):
        SklearnVictim.from_files({SKOPS: dump_skops(forest)}, {}, "")
