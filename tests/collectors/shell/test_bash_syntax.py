"""Which lines make up a whole bash command: checked against bash itself."""

from __future__ import annotations

import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.shell.syntax import Statement

WHOLE = [
    "ls -la | grep x && echo done; echo fi",
    "echo it\\'s \"fine\" 'here' $'don\\'t' `date`",
    'echo "$(echo "a b")" ${x:-"y"} $((1 << 2)) $# # don\'t',
    "for i in 1 2; do echo $i; done",
    "if true; then echo 'a'; elif x; then y; else z; fi",
    "case $x in a) echo 1;; (b) echo 2;; esac",
    "while read -r x; do echo {; done <<<'a b'",
    "f() { echo '}'; }; (cd / && ls) 2>&1 >/dev/null",
    "[[ $a == b ]] || { echo c; }",
    "x=(1 2 3)",
    "find . -name '*.py' -exec grep -l x {} \\;",
    "cat <<EOF\nbody 'open\n  EOF\nEOF",
    "cat <<-'END' | tr a b\n\tbody\n\tEND",
    "cat <<A <<B\na\nA\nb\nB",
    'git commit -m "one\n\ntwo\'s"',
    "echo 'a\nb'\"c\nd\"",
    "for i in 1 2\ndo\n  echo $i\ndone",
    "f()\n{\n  ls\n}",
    "function g {\n  ls\n}",
    "x=(1\n2\n3)",
    "ls |\n  wc &&\n  pwd",
    "echo a \\\n  b",
    "case $x in\n  a)\n    ls\n    ;;\n  *) pwd ;;\nesac",
    "if [ -f x ]\nthen\n  ls\nfi",
    "time for i in 1; do\nls\ndone",
    "! while false; do\nls\ndone",
    "echo $'a\\'\nb'",
]


def statement_lines(text: str) -> list[bool]:
    statement = Statement()
    return [statement.add(line) for line in text.split("\n")]


@pytest.mark.parametrize("text", WHOLE)
def test_a_command_is_whole_at_its_last_line_and_not_before(text: str):
    subprocess.run(["bash", "-n", "-c", text], check=True)  # the example itself is right

    *before, last = statement_lines(text)

    assert last
    assert not any(before)


def test_an_unfinished_command_is_not_whole():
    for text in (
        "echo 'a",
        'echo "a',
        "for i in 1; do",
        "foo() {",
        "cat <<EOF",
        "ls |",
        "ls \\",
        "(ls",
        "case x in a) b",
    ):
        assert statement_lines(text) == [False], text


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(st.sampled_from("'\"\\(){}<|&;#$` \tabEOF\n"), max_size=30), max_size=20))
def test_no_line_makes_it_fail(lines: list[str]):
    statement = Statement()

    for line in lines:
        statement.add(line)


@pytest.mark.parametrize(
    "piece", ["(", "((", "${", "'", '"', "<<", "\\", "$(", "{ ", "a(", "$'", "`", "; ", "for ", "#", "<<a "]
)
def test_a_long_line_takes_no_time(piece: str):
    began = time.process_time()

    Statement().add(piece * (100_000 // len(piece)))

    assert time.process_time() - began < 1
