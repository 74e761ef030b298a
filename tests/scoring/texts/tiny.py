"""Tiny random models saved to disk, in the layouts in which the real ones come."""

from __future__ import annotations

from pathlib import Path

from tests.random_models import saved

_SAID = "the a film movie was great bad rain is expected on monday minister opened bridge not i you it and of to in that"
WORDS = _SAID.split()
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "!", "?", "##s", "##ing", *WORDS]
VOCABULARY += [letter for letter in "abcdefghijklmnopqrstuvwxyz0123456789" if letter not in WORDS]
VOCABULARY += [f"##{letter}" for letter in "abcdefghijklmnopqrtuvwxyz"]
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
}
PAIRS = [
    ("The film was great .", "The movie was great ."),
    ("Rain is expected on Monday .", "Rain is not expected on Monday ."),
    ("the minister opened the bridge . " * 8, "the minister opened that bridge . " * 8),
    ("a", "the rain in the film and the rain on the bridge is expected to be great , and it was ."),
    ("The film was great .", "The movie was great ."),
    ("", "a film"),
    ("bad", ""),
    ("V\u0430ccines \ud800 \u200b", "vaccines"),
    ("the bridge was great and " * 400, "the bridge was bad and " * 400),
]


def _wordpieces(folder: Path) -> None:
    from transformers import BertTokenizerFast

    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=True, model_max_length=512).save_pretrained(folder)


def _sentencepieces(folder: Path) -> int:
    """BLEURT-20's kind of tokeniser; returns its size."""
    import sentencepiece

    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(" ".join(WORDS[start:] + WORDS[:start]) for start in range(len(WORDS))) + "\n")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(folder / "spm"), vocab_size=45, pad_id=0, unk_id=1, bos_id=2, eos_id=3,
        pad_piece="[PAD]", unk_piece="[UNK]", bos_piece="[CLS]", eos_piece="[SEP]", user_defined_symbols=["[MASK]"],
        minloglevel=2,
    )  # fmt: skip
    corpus.unlink()
    from bleurt_pytorch.bleurt.tokenization_bleurt_sp import BleurtSPTokenizer

    tokenizer = BleurtSPTokenizer(str(folder / "spm.model"))
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def bleurt(folder: Path, *, pieces: str = "words") -> Path:
    from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification

    folder.mkdir()
    size = len(VOCABULARY)
    if pieces == "words":
        _wordpieces(folder)
    else:
        size = _sentencepieces(folder)
    return saved(folder, lambda: BleurtForSequenceClassification(BleurtConfig(vocab_size=size, **SIZES)))


def bert(folder: Path, *, seed: int = 1) -> Path:
    from transformers import BertConfig, BertModel

    folder.mkdir()
    _wordpieces(folder)
    return saved(folder, lambda: BertModel(BertConfig(vocab_size=len(VOCABULARY), **SIZES)), seed)


def bert_for_sequences(folder: Path, *, numbers: int = 1) -> Path:
    from transformers import BertConfig, BertForSequenceClassification

    folder.mkdir()
    _wordpieces(folder)
    config = BertConfig(vocab_size=len(VOCABULARY), num_labels=numbers, **SIZES)
    return saved(folder, lambda: BertForSequenceClassification(config), seed=2)
