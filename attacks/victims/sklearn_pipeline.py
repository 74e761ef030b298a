"""Any scikit-learn pipeline from texts to probabilities as a victim."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from attacks.errors import AttackError
from scoring.model_folder import ModelFolderError, dump_skops, load_skops

SKOPS: Final = "pipeline.skops"
_ROUNDED_TO = 9  # decimals; see predict_proba

TYPES: Final = frozenset(
    {
        "builtins.dict",
        "builtins.list",
        "builtins.str",
        "builtins.tuple",
        "numpy.float64",
        "numpy.int64",
        "numpy.ndarray",
        "numpy.random.mtrand.RandomState",
        "sklearn._loss._loss.CyHalfBinomialLoss",
        "sklearn.calibration.CalibratedClassifierCV",
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.calibration._SigmoidCalibration",
        "sklearn.decomposition._truncated_svd.TruncatedSVD",
        "sklearn.ensemble._forest.ExtraTreesClassifier",
        "sklearn.ensemble._forest.RandomForestClassifier",
        "sklearn.ensemble._voting.VotingClassifier",
        "sklearn.feature_extraction.text.CountVectorizer",
        "sklearn.feature_extraction.text.HashingVectorizer",
        "sklearn.feature_extraction.text.TfidfTransformer",
        "sklearn.feature_extraction.text.TfidfVectorizer",
        "sklearn.feature_selection._univariate_selection.SelectKBest",
        "sklearn.feature_selection._univariate_selection.SelectPercentile",
        "sklearn.feature_selection._univariate_selection.chi2",
        "sklearn.feature_selection._univariate_selection.f_classif",
        "sklearn.feature_selection._variance_threshold.VarianceThreshold",
        "sklearn.linear_model._logistic.LogisticRegression",
        "sklearn.linear_model._stochastic_gradient.SGDClassifier",
        "sklearn.naive_bayes.BernoulliNB",
        "sklearn.naive_bayes.ComplementNB",
        "sklearn.naive_bayes.GaussianNB",
        "sklearn.naive_bayes.MultinomialNB",
        "sklearn.neural_network._multilayer_perceptron.MLPClassifier",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.pipeline.FeatureUnion",
        "sklearn.pipeline.Pipeline",
        "sklearn.preprocessing._data.Binarizer",
        "sklearn.preprocessing._data.MaxAbsScaler",
        "sklearn.preprocessing._data.Normalizer",
        "sklearn.preprocessing._data.StandardScaler",
        "sklearn.preprocessing._label.LabelBinarizer",
        "sklearn.preprocessing._label.LabelEncoder",
        "sklearn.svm._classes.LinearSVC",
        "sklearn.tree._classes.DecisionTreeClassifier",
        "sklearn.tree._classes.ExtraTreeClassifier",
        "sklearn.tree._tree.Tree",
        "sklearn.utils._bunch.Bunch",
    }
)
"""What the skops file of a pipeline may name. A function of one's own (a tokeniser, say) is not among them."""


class SklearnVictim:
    """A fitted pipeline that takes texts and has ``predict_proba`` for the labels 0 and 1.

    In memory any will do; one that is kept in a folder may consist of `TYPES` only. ``sha256`` identifies it: by default
    the hash of its parameters and of what it learned.
    """

    kind: ClassVar = "sklearn"
    name: ClassVar = "sklearn"
    libraries: ClassVar = ("numpy", "scipy", "scikit-learn", "skops")

    def __init__(self, pipeline: Any, *, sha256: str = "") -> None:
        self.pipeline = pipeline
        self.sha256 = sha256 or _sha256_of(pipeline)
        if not hasattr(pipeline, "predict_proba"):
            raise AttackError(
                f"{type(pipeline).__name__}: not fitted, or its classifier has no predict_proba; a linear SVM gets one in a "
                "CalibratedClassifierCV"
            )
        if list(getattr(pipeline, "classes_", ())) != [0, 1]:
            raise AttackError(f"{type(pipeline).__name__}: its classes must be 0 (credible) and 1 (non-credible)")

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities [n, 2], the same in any batch: products of matrices of different heights differ in their last bits,
        which rounding to nine decimals hides."""
        if not len(texts):
            return np.empty((0, 2))
        probabilities = np.asarray(self.pipeline.predict_proba(list(texts)), dtype=np.float64)
        return np.round(probabilities, _ROUNDED_TO)

    def files(self) -> dict[str, bytes]:
        """Raises `AttackError` for a pipeline that `from_files` would refuse."""
        content = dump_skops(self.pipeline)
        try:
            load_skops(content, TYPES)
        except ModelFolderError as error:
            raise AttackError(f"this pipeline cannot be kept: {error} Use it in memory, or build it from other parts") from None
        return {SKOPS: content}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes], card: Mapping[str, Any], sha256: str) -> SklearnVictim:
        pipeline = load_skops(files[SKOPS], TYPES)
        for part in _parts(pipeline):
            _check_soundness(part)
        return cls(pipeline, sha256=sha256)


def _sha256_of(pipeline: Any) -> str:
    import joblib

    try:
        return hashlib.sha256(joblib.hash(pipeline, "sha1").encode("ascii")).hexdigest()
    except Exception as error:  # whatever the pickling of somebody's own parts provokes
        raise AttackError(f"the pipeline cannot be hashed ({error}); give the victim a sha256 that identifies it") from None


def _parts(of: Any) -> Iterator[Any]:
    """All estimators of a pipeline, at any depth."""
    if isinstance(of, dict):
        yield from _parts(list(of.values()))
    elif isinstance(of, list | tuple):
        for each in of:
            yield from _parts(each)
    elif type(of).__module__.startswith("sklearn."):
        yield of
        yield from _parts(getattr(of, "__dict__", {}))


def _check_soundness(part: Any) -> None:
    """scikit-learn trusts the numbers by which a file's trees and vocabularies lead it through memory."""
    from regressors.models.learner_files import leads_on

    if hasattr(part, "tree_"):
        tree, columns = part.tree_, part.n_features_in_
        if tree.n_features != columns or not leads_on(tree.children_left, tree.children_right, tree.feature, columns):
            raise AttackError(f"{SKOPS} holds a tree that is not sound")
    if any(tree.n_features_in_ != part.n_features_in_ for tree in getattr(part, "estimators_", ()) if hasattr(tree, "tree_")):
        raise AttackError(f"{SKOPS} holds a forest that is not sound")
    if sorted(getattr(part, "vocabulary_", {}).values()) != list(range(len(getattr(part, "vocabulary_", {})))):
        raise AttackError(f"{SKOPS} holds a vocabulary that is not sound")
