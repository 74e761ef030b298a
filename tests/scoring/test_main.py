from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.__main__ import _parser, main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text("old,new,ok\nthe movie was great,the film was great,1\na b c d,a b c x,True\np,ATTACK FAILED,0.0\n")
    return path


def test_bodega(run: Run, pairs: Path) -> None:
    code, out, err = run("bodega", pairs, "--original", "old", "--adversarial", "new", "--succeeded", "ok", "--json")
    found = json.loads(out)
    assert (code, err, found["pairs"], found["success"]["value"]) == (0, "", 3, pytest.approx(2 / 3))
    assert found["character"]["value"] == pytest.approx((0.736842105263158 + 6 / 7) / 2)
    assert found["bodega"]["reason"]["code"] == "no_semantic_scorer"


def test_bodega_with_the_embedded_encoder_names_it(run: Run, pairs: Path) -> None:
    command = ("bodega", pairs, "--original", "old", "--adversarial", "new", "--task", "HN", "--semantic", "encoder", "--json")
    code, out, _ = run(*command)
    found = json.loads(out)
    assert (code, found["semantic_scorer"]["name"]) == (0, "cosine of all-MiniLM-L6-v2")
    assert 0 < found["bodega"]["value"] < found["semantic"]["value"] < 1


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    path = tmp_path / "judged.tsv"
    lines = ["text\tfirst\tsecond\tthird", "a\t0.0\t0\t", "b\t1.0\t0\t1", "c\t1.0\t1\t", "c\t\t1\t0"]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_agreement(run: Run, judged: Path) -> None:
    code, out, _ = run("agreement", judged, "--annotators", "first,second,third", "--cluster", "text", "--json")
    found = json.loads(out)
    assert (code, found["labels"], found["labels_from"]) == (0, ["0", "1"], "the labels found in the file")
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [
        ("first", "second"),
        ("first", "third"),
        ("second", "third"),
    ]
    kappa = found["pairs"][0]["cohen_kappa"]
    assert (kappa["n"], kappa["value"], kappa["left_out"]) == (3, pytest.approx(0.4), {"not judged by both": 1})
    assert found["pairs"][0]["confusion"] == [[1, 0], [1, 1]]
    assert found["pairs"][1]["cohen_kappa"]["reason"]["code"] == "one_item"


def test_agreement_resamples_the_rows_of_a_cluster_together(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "clustered.csv"
    path.write_text("text,a,b\n" + "".join(f"{i // 4},{i % 2},{i % 3 % 2}\n" for i in range(40)))
    _, out, _ = run("agreement", path, "--annotators", "a,b", "--cluster", "text", "--json")
    pair = json.loads(out)["pairs"][0]
    for statistic in ("cohen_kappa", "raw_agreement", "gwet_ac1"):
        assert "draws of 10 clusters" in pair[statistic]["interval"]["method"]


def test_text_output_has_figures_and_reasons(run: Run, judged: Path) -> None:
    code, out, _ = run("agreement", judged, "--annotators", "first,third")
    assert code == 0
    assert "pairs[1].cohen_kappa: none. One item cannot tell agreement from chance. (n = 1)" in out.splitlines()
    assert any(line.startswith("pairs[1].raw_agreement: 1, 95% interval 0.2") for line in out.splitlines())


def test_deviation(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("text,score,group\n" + "t,1,x\nt,2.0,x\nt,4,x\nt,3,y\nu,5,y\nu,5,y\nu,5,y\n")
    code, out, _ = run("deviation", path, "--item", "text", "--score", "score", "--group", "group", "--json")
    found = json.loads(out)
    assert (code, found["overall"]["value"], found["overall"]["n"]) == (0, 0.5, 2)
    assert (found["sums"], found["counts"]) == ([0, 1, 2, 3], [1, 0, 0, 1])
    assert [(v["variant"], v["n"]) for v in found["variants"]] == [("x", 1), ("y", 1)]
    _, out, _ = run("deviation", path, "--item", "text", "--score", "score", "--json")
    assert json.loads(out)["sums"] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("command", "content", "message"),
    [
        ("agreement F --annotators a,b", "a\n1\n", "F: line 1, column b: required column is missing: b; found a"),
        ("agreement F --annotators a,b --labels 0,1", "a,b\n1,x\n", "F: line 2, column b: 'x' is not one of 0, 1"),
        ("agreement F --annotators a,b", "a,b\n", "F: line 1: there is a header, but no row under it"),
        ("agreement F --annotators a,b", "a,b\n,\n", "F: no cell of a, b holds a label"),
        ("agreement F --annotators a", "a\n1\n", "--annotators needs at least two different columns"),
        ("agreement F --annotators a,b --labels 1,1", "a,b\n1,1\n", "--labels names a label twice"),
        ("deviation F --item a --score b", "a,b\nx,high\n", "F: line 2, column b: 'high' is not a whole number"),
        ("deviation F --item a --score b", "a,b\n,1\n", "F: line 2, column a: the cell is empty"),
        ("bodega F --original a --adversarial b --succeeded b", "a,b\nx,y\n", "F: line 2, column b: 'y' is not one of true"),
        ("bodega F --original a --adversarial b --task XY", "a,b\n", "invalid choice: 'XY'"),
        ("bodega F --original a --adversarial b", "", "F: the file is empty"),
        ("nonsense F", "", "invalid choice: 'nonsense'"),
    ],
)
def test_errors_are_one_line_with_exit_code_2(run: Run, tmp_path: Path, command: str, content: str, message: str) -> None:
    path = tmp_path / "F"
    path.write_text(content)
    code, out, err = run(*[path if word == "F" else word for word in command.split()])
    assert (code, out, err.count("\n"), message in err) == (2, "", 1, True), err


def test_it_runs_as_a_module_without_loading_torch_or_django(pairs: Path) -> None:
    program = (
        "import sys; from scoring.__main__ import main; main(sys.argv[1:]); "
        "sys.exit(' '.join({'torch', 'transformers', 'django'} & set(sys.modules)) or 0)"
    )
    arguments = ["bodega", str(pairs), "--original", "old", "--adversarial", "new"]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "success: 1 (n = 3" in done.stdout


@pytest.mark.published_data
def test_the_published_figures(run: Run, published_data: Callable[[str], Path]) -> None:
    meaning, suspicion = published_data("incrediblae_manual_evaluation.csv"), published_data("suspicion_mturk_dev.csv")
    texts = ("--original", "original_samples", "--adversarial", "adversarial_samples")
    _, out, _ = run("bodega", meaning, *texts, "--task", "FC", "--semantic", "none", "--json")
    assert json.loads(out)["character"]["value"] == pytest.approx(0.9665708471, abs=1e-10)
    _, out, _ = run("agreement", meaning, "--annotators", "annotator1_stance,annotator2_stance", "--labels", "0,1,2", "--json")
    assert json.loads(out)["pairs"][0]["cohen_kappa"]["value"] == pytest.approx(0.5240984624, abs=1e-10)
    columns = ("--item", "Input.text", "--score", "Answer.judgement.score", "--group", "group")
    _, out, _ = run("deviation", suspicion, *columns, "--json")
    assert json.loads(out)["counts"] == [14, 16, 9, 18, 3]


@pytest.mark.parametrize("command", ["", *sorted(_parser()._subparsers._group_actions[0].choices)])  # type: ignore[union-attr, index, call-overload]
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert (ended.value.code, capsys.readouterr().err) == (0, "")


def test_a_reader_who_leaves_gets_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("old,new\n" + "a b c d e f,a b x d e y\n" * 2_000)
    command = [sys.executable, "-m", "scoring", "edits", str(path), "--original", "old", "--adversarial", "new", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 1)
