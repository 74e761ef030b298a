# Passable. `make run` and `make test` are all that a newcomer needs; both call `make setup` first.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
export PIP_DISABLE_PIP_VERSION_CHECK := 1
TORCH := $(shell sed -n 's/^torch==/torch==/p' requirements.txt)

.PHONY: help run test nightly setup lint demo

help:
	@echo "make run     start Passable on 127.0.0.1:$(PORT), with the sample study"
	@echo "make test    run every test, browser tests included"
	@echo "make nightly run every combination of roles, pages, phases and protocols"
	@echo "make demo    run the sample study without the server; writes demo_report/"
	@echo "make lint    ruff, mypy, djlint, import-linter"
	@echo "make setup   create .venv and install what is needed"

run: setup
	@exec $(BIN)/python manage.py start --port $(PORT)

demo: setup
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py demo --out demo_report

setup: .venv/runtime.stamp

test: .venv/dev.stamp
	@scripts/system-packages
	@scripts/run-tests

nightly: .venv/dev.stamp
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist load -q -m nightly

lint: .venv/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/djlint --lint --quiet templates
	@$(BIN)/lint-imports --no-logo

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Passable needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python's venv is missing. On Debian: sudo apt install python3-venv"; exit 1; }

.venv/runtime.stamp: requirements.txt | .venv/bin/python
	@echo "Installing what Passable needs (about two minutes the first time) ..."
	@$(if $(PASSABLE_TORCH_INDEX),$(BIN)/pip install --quiet --index-url "$(PASSABLE_TORCH_INDEX)" "$(TORCH)")
	@$(BIN)/pip install --quiet --requirement requirements.txt
	@touch $@

.venv/dev.stamp: requirements-dev.txt .venv/runtime.stamp
	@echo "Installing what the tests need ..."
	@$(BIN)/pip install --quiet --requirement requirements-dev.txt
	@touch $@
