"""``python -m attacks train-victim``: train a victim on a task and write its folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attacks.attackers import make_attacker
from attacks.commands import Commands, add_resources, progress, resources_of, settings_of
from attacks.errors import AttackError
from attacks.resources import Resources
from attacks.tasks.layout import read_task
from attacks.victims.training import KINDS, parameters_of, train_victim
from scoring.arguments import MANY, SEED
from scoring.model_folder import read_model_folder

if TYPE_CHECKING:
    from attacks.victims.adversarial import TrainingSetAttack

_ATTACKER = "textattack:deepwordbug"
_TEXTS = 1_000
_ADVERSARYS = {"attacker": "--attacker", "texts": "--texts", "budget": "--budget"}


def add(commands: Commands) -> None:
    parser = commands.add_parser("train-victim", help="train a victim on a task and write its folder; run again, it goes on")
    parser.add_argument("--task-dir", required=True, type=Path)
    parser.add_argument("--kind", required=True, help=f"one of {', '.join(KINDS)}")
    parser.add_argument("--out", required=True, type=Path, help="folder for the victim")
    parser.add_argument(
        "--base", metavar="FOLDER|NAME", help="pretrained Transformer, by folder or hub name (default: embedded MiniLM)"
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter that `list` shows")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--force", action="store_true", help="keep the victim even if it is at chance")
    group = parser.add_argument_group("adversarial training")
    group.add_argument(
        "--adversarial",
        action="store_true",
        help="attack the victim on its training set, and train anew on what misled it as well",
    )
    group.add_argument("--attacker", help=f"a name that `list` shows (default {_ATTACKER})")
    group.add_argument("--texts", type=MANY, help=f"training texts to draw for the attack (default {_TEXTS:,})")
    group.add_argument("--budget", type=MANY, help="texts that may be asked per training text (default: no limit)")
    add_resources(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    parameters = settings_of(options.set, parameters_of(options.kind)) | _base_of(options)
    adversary = _adversary_of(options)
    train_victim(
        read_task(options.task_dir), options.kind, options.out, seed=options.seed, force=options.force,
        adversary=adversary, progress=progress(), **parameters,
    )  # fmt: skip
    card = read_model_folder(options.out).card
    if card["adversarial"]:
        print(f"trained anew with {card['adversarial']['n']} adversarial examples")
    print(_shown(card["results"]), options.out, sep=": ")


def _base_of(options: Namespace) -> dict[str, Any]:
    if options.base is None:
        return {}
    if "base" not in parameters_of(options.kind):
        raise AttackError(f"--base is for --kind transformer; a {options.kind} victim starts from nothing")
    return {"base": options.base}


def _adversary_of(options: Namespace) -> TrainingSetAttack | None:
    if not options.adversarial:
        for name, option in _ADVERSARYS.items():
            if getattr(options, name) is not None:
                raise AttackError(f"{option} needs --adversarial")
        return None
    from attacks.victims.adversarial import TrainingSetAttack

    attacker = make_attacker(options.attacker or _ATTACKER, Resources.at(**resources_of(options)))
    return TrainingSetAttack(attacker, options.texts or _TEXTS, options.budget)


def _shown(results: dict[str, Any]) -> str:
    named = {"accuracy": "accuracy", "F1": "f1"}
    figures = [f"{name} {results[key]:.4f}{_between(results[f'{key}_interval'])}" for name, key in named.items()]
    return f"{', '.join(figures)} on {results['n']} development texts"


def _between(interval: dict[str, Any] | None) -> str:
    return f" ({interval['low']:.4f} to {interval['high']:.4f})" if interval else ""
