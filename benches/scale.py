#!/usr/bin/env python3
"""How the work of `dlm check` grows with its input: processor time and peak memory at 1, 2 and 4 times a size.

    python3 benches/scale.py [--dlm PATH] [KIND …]

Doubling the input should double the time: the last column is the exponent of the growth between the first and the last
size, 1 for linear, 2 for quadratic. Each figure is the least of three runs.
"""
import argparse
import math
import pathlib
import shutil
import sys
import tempfile

from peers import TIME, run

HEAD = "dlm 1\n"
SMALL = "schema S { a: int = 1 }\n"


def lines(count, line):
    return "".join(line(i) for i in range(count))


def experiments(n):
    return HEAD + SMALL + lines(n, lambda i: f"experiment e{i} extends S {{ a = {i} }}\n")


def fields(n):
    body = lines(n, lambda i: f"  f{i}: int\n"), lines(n, lambda i: f"  f{i} = {i}\n")
    return f"{HEAD}schema S {{\n{body[0]}}}\nexperiment e extends S {{\n{body[1]}}}\n"


def mixins(n):
    return HEAD + SMALL + lines(n, lambda i: f"mixin m{i} for S {{ a = {i} }}\nexperiment e{i} extends S with m{i} {{ }}\n")


def inheritance(n):
    chains = lines(
        n // 50,
        lambda c: f"experiment c{c}x0 extends S {{ }}\n"
        + lines(49, lambda i: f"experiment c{c}x{i + 1} extends c{c}x{i} {{ a = super + 1 }}\n"),
    )
    return HEAD + SMALL + chains


def derived_values(n):
    def field(i):
        return f"  f{i}: int = f{i - 1} + 1\n" if i % 100 else f"  f{i}: int = 1\n"

    return f"{HEAD}schema S {{\n{lines(n, field)}}}\nexperiment e extends S {{ }}\n"


def items(n):
    whole = ", ".join(str(i) for i in range(n))
    return (
        f"{HEAD}schema S {{ xs: list<int> = [] }}\nexperiment a extends S {{ xs = [{whole}] }}\n"
        f"experiment b extends a {{ xs -= [{whole}] }}\n"
    )


def unknown_names(n):
    return f"{HEAD}{SMALL}experiment e extends S {{\n{lines(n, lambda i: f'  b{i} = {i}' + chr(10))}}}\n"


def violations(n):
    rule = 'schema S {\n  a: int = 1\n  check low: a < 0 else "a is {a}" fix a = -1\n}\n'
    return HEAD + rule + lines(n, lambda i: f"experiment e{i} extends S {{ }}\n")


def library(n):
    head = "dlm 1\nuse std.megadlms.Pretrain\n\n"
    return head + lines(n, lambda i: f"abstract experiment e{i} extends Pretrain {{ optimizer.lr = {i + 1}e-8 }}\n")


def swept(n, rest=""):
    # Two axes: n / 100 learning rates times 100 decays.
    rates = ", ".join(f"{i + 1}e-8" for i in range(n // 100))
    decays = ", ".join(f"{i + 1}e-4" for i in range(100))
    axes = f"  optimizer.lr in [{rates}]\n  optimizer.weight_decay in [{decays}]\n"
    base = (pathlib.Path(__file__).resolve().parent.parent / "examples/dlm_1_7b.dlm").read_text()
    return f"{base}\nsweep s of dlm_1_7b {{\n{axes}{rest}}}\n"


def swept_faults(n):
    # Half of the rates are below the least one.
    return swept(n, f"  optimizer.min_lr = {n // 200}e-8\n")


KINDS = {
    "experiments": (experiments, 10_000),
    "fields": (fields, 4_500),
    "mixins": (mixins, 5_000),
    "inheritance": (inheritance, 2_000),
    "derived values": (derived_values, 4_500),
    "list items": (items, 2_500),
    "unknown names": (unknown_names, 5_000),
    "violations": (violations, 5_000),
    "library": (library, 1_000),
    "points": (swept, 10_000),
    "faulty points": (swept_faults, 10_000),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--dlm", default=str(root / "target/release/dlm"))
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    arguments = parser.parse_args()
    if not shutil.which(arguments.dlm):
        sys.exit(f"{arguments.dlm} is missing: build it with `cargo build --release`, or name one with --dlm")
    dlm = str(pathlib.Path(shutil.which(arguments.dlm)).resolve())
    print(f"{'':16}{'size':>8}{'CPU s':>9}{'2x':>9}{'4x':>9}{'peak MiB':>10}{'2x':>8}{'4x':>8}{'growth':>9}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "main.dlm")
        peak = pathlib.Path(folder, "peak")
        for name in arguments.kinds or KINDS:
            make, size = KINDS[name]
            seconds, memory = [], []
            for factor in (1, 2, 4):
                file.write_text(make(size * factor))
                command = [dlm, "check", "--format", "short", "main.dlm"]
                seconds.append(min(run(command, folder, (0, 1))[0] for _ in range(3)))
                run([TIME, "-q", "-f", "%M", "-o", str(peak), *command], folder, (0, 1))
                memory.append(int(peak.read_text().split()[-1]) / 1024)
            growth = math.log(seconds[2] / max(seconds[0], 1e-3)) / math.log(4)
            times = "".join(f"{value:>9.3f}" for value in seconds)
            mibs = f"{memory[0]:>10.1f}{memory[1]:>8.1f}{memory[2]:>8.1f}"
            print(f"{name:16}{size:>8}{times}{mibs}{growth:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
