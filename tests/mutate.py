#!/usr/bin/env python3
"""How many faults do the quick unit tests find?

    tests/mutate.py [--seed N] [--count 40] [--jobs 2] [--at FILE:LINE]

Draws faults from a seed, which it prints: another operator, a constant or a limit that is one too
large, a statement that is left out, in the sources of geometry, norms, ledgers, ranges, parsers, runs
and the engine. Applies one at a time in a copy of the tree (under $TMPDIR, removed afterwards), builds
there and runs the unit tests until the first failure. Prints which fault was found by which test, and
in the end those that no test has found: each is a missing test, or code that makes no difference.
A fault takes a minute or two. Needs Criterion; run `make tests` first."""

import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

FOLDERS = ["kernels/geom", "kernels/cpu", "kernels/solver", "kernels/eq", "kernels/block",
           "kernels/part", "kernels/sample", "src/base", "src/core", "src/run", "src/engine",
           "src/ranks", "src/snapshot", "src/tune"]
PROGRAM = "build/release/tests/unit_tests"
LIMIT = 900  # seconds: a run that hangs has found the fault

# Each with one change per match. Spaces: clang-format writes operators between them.
OPERATORS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" / ", " * "), (r" % ", " / "),
    (r" \+= ", " -= "), (r"\+\+", "--"), (r" \? ", " && false ? "),
]
CONSTANT = re.compile(r"(?<![\w.\"'%])(\d+)(?![\w.\"'])")
STATEMENT = re.compile(r"^\s+[\w>.\-\[\]* ]+(\(.*\)| [-+*/|&]?= .*);$")


def code_lines(path):
    """Lines of function bodies, without comments, texts and declarations of data."""
    comment = False
    body = False
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if line == "{":
                body = True
            elif line.startswith("}"):
                body = False
            inside = comment
            if "/*" in line:
                comment = "*/" not in line.split("/*")[-1]
                inside = True
            elif comment and "*/" in line:
                comment = False
            if body and not inside and '"' not in line and line.startswith("    "):
                yield number, line


def changes(line):
    """The faults that this line can have."""
    for pattern, new in OPERATORS:
        for m in re.finditer(pattern, line):
            yield "operator", line[:m.start()] + new + line[m.end():]
    for m in CONSTANT.finditer(line):
        yield "constant", line[:m.start()] + str(int(m.group(1)) + 1) + line[m.end():]
    if STATEMENT.match(line) and not re.match(r"^\s+(return|const|static|int|double|char|size_t|bool|"
                                              r"ss_\w+|struct|uint\w+|int64_t|free|float) ?[*\w(]", line):
        yield "statement", re.match(r"^\s+", line).group(0) + ";"


def draw(seed, at):
    """Files by their number of lines, kinds of faults evenly."""
    rng = random.Random(seed)
    lines = []
    for folder in FOLDERS:
        for path in sorted(glob.glob(folder + "/**/*.[ch]", recursive=True)):
            lines += [(path, n, line) for n, line in code_lines(path)]
    if at:
        path, number = at.rsplit(":", 1)
        lines = [l for l in lines if l[0] == path and l[1] == int(number)]
    while True:
        path, number, line = rng.choice(lines)
        faults = list(changes(line))
        kinds = sorted({kind for kind, _ in faults})
        if kinds:
            kind = rng.choice(kinds)
            yield path, number, line, rng.choice([new for k, new in faults if k == kind])


def copy_tree(where):
    """Tracked files and what is built, with their times, so that one file is compiled per fault."""
    names = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True).stdout
    for name in names.decode().split("\0"):
        if name and os.path.exists(name):
            os.makedirs(os.path.join(where, os.path.dirname(name)), exist_ok=True)
            shutil.copy2(name, os.path.join(where, name), follow_symlinks=False)
    shutil.copytree("build/release", where + "/build/release", symlinks=True)


def build(where, jobs):
    return subprocess.run(["make", "-j%d" % jobs, "build", PROGRAM], cwd=where, capture_output=True,
                          check=False).returncode == 0


def first_failure(where):
    """The test that fails first; None: all pass."""
    command = [PROGRAM, "--fail-fast", "--filter", "!(slow_*)/*"]
    try:
        done = subprocess.run(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "a test that hangs"
    if done.returncode == 0:
        return None
    failed = re.search(r"\[FAIL\] (\S+?): ", done.stdout.decode(errors="replace"))
    return failed.group(1) if failed else "the end of the program"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at", metavar="FILE:LINE", help="faults of this line")
    args = parser.parse_args()
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    print("seed %d" % args.seed, flush=True)
    found, missed, tried = 0, [], 0
    with tempfile.TemporaryDirectory(prefix="ss-mutate-") as where:
        copy_tree(where)
        if not build(where, args.jobs):
            sys.exit("the tree does not build")
        for path, number, line, new in draw(args.seed, args.at):
            target = os.path.join(where, path)
            with open(target, encoding="utf-8") as f:
                text = f.read().split("\n")
            text[number - 1] = new
            with open(target, "w", encoding="utf-8") as f:
                f.write("\n".join(text))
            began = time.time()
            compiles = build(where, args.jobs)
            test = first_failure(where) if compiles else None
            shutil.copyfile(path, target)
            if not compiles:
                continue
            tried += 1
            found += test is not None
            what = "%s:%d: %s -> %s" % (path, number, line.strip(), new.strip())
            print("%-8s %s, %.0f s%s" % ("found" if test else "MISSED", what, time.time() - began,
                                         ": " + test if test else ""), flush=True)
            if not test:
                missed.append(what)
            if tried >= args.count:
                break
    print("%d of %d faults were found" % (found, tried))
    for what in missed:
        print("not found: " + what)


if __name__ == "__main__":
    main()
