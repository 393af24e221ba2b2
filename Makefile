# make run, make test: each sets up what it needs first.
.PHONY: help run demo test check format nightly bench bench-report coverage mutants lock package screenshots clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run:  ## the app: in the tray with a display, else collect once and show what was found
	@sh packaging/setup.sh run
	@.venv/bin/desktop-memory run

demo:  ## the same on a throw-away profile with a fortnight of someone's work
	@sh packaging/setup.sh run
	@.venv/bin/desktop-memory demo

test: check  ## everything that CI runs (ARGS="-k timeline" for pytest)
	.venv/bin/python -m pytest -n 3 --dist loadfile $(ARGS)

check:  ## format, lint, types, import contracts
	@sh packaging/setup.sh test
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

format:  ## let ruff put the code in form
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

nightly:  ## what must hold always, over a thousand examples each
	@sh packaging/setup.sh test
	HYPOTHESIS_PROFILE=nightly .venv/bin/python -m pytest -n 3 -m nightly $(ARGS)

bench:  ## benchmarks beside their baselines (ARGS="--events 10000")
	@sh packaging/setup.sh test
	.venv/bin/python -m tests.benchmarks.run $(ARGS)

bench-report:  ## the same as docs/benchmarks.md, with machine, load and day
	@sh packaging/setup.sh test
	.venv/bin/python -m tests.benchmarks.run --report docs/benchmarks.md $(ARGS)

coverage:  ## which lines no test reached (ARGS="tests/desktop_memory/store" for a part)
	@sh packaging/setup.sh test
	.venv/bin/coverage erase
	.venv/bin/coverage run -m pytest -n 2 --dist loadfile $(ARGS); passed=$$?; \
	.venv/bin/coverage combine --quiet && .venv/bin/coverage report; exit $$passed

mutants:  ## code changed in small ways that no test notices (ARGS="desktop_memory.pipeline.redact*" for a part)
	@sh packaging/setup.sh test
	.venv/bin/python -m venv build/mutants
	build/mutants/bin/pip install --quiet --disable-pip-version-check mutmut==3.8.1
	.venv/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
		> "$$(build/mutants/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/of_the_tests.pth"
	build/mutants/bin/mutmut run $(ARGS); build/mutants/bin/mutmut results

screenshots:  ## the pictures in docs/screenshots, from the demo, and docs/screens.md
	@sh packaging/setup.sh test
	.venv/bin/python docs/screenshots.py

lock:  ## renew the locked versions (needs uv)
	@sh packaging/lock.sh

package:  ## a folder that runs by itself, and a .deb from it
	@sh packaging/setup.sh package
	@sh packaging/build.sh

clean:  ## remove what was built; .venv too
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
