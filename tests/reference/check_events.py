#!/usr/bin/env python3
"""Reads a run folder with TensorBoard's own reader and compares it with metrics.jsonl.

    .venv/bin/pip install tensorboard
    .venv/bin/python tests/reference/check_events.py RUN_FOLDER

TensorBoard joins the event files of several processes and drops what a later one did again; metrics.jsonl must say the
same.
"""

import json
import math
import pathlib
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

TAGS = {
    "train/loss/megadlms": ("training", "loss"),
    "train/learning_rate": ("training", "learning_rate"),
    "train/grad_norm": ("training", "grad_norm"),
    "train/tokens_per_second": ("training", "tokens_per_second"),
    "held_out/nelbo_nats_per_token": ("evaluation", "nats_per_token"),
    "held_out/nelbo_bits_per_byte": ("evaluation", "bits_per_byte"),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    events = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    for tag, (kind, field) in TAGS.items():
        found = [(event.step, event.value) for event in events.Scalars(tag)]
        logged = [(line["step"], line[field]) for line in lines if line["kind"] == kind]
        same = [a[0] == b[0] and math.isclose(a[1], b[1], rel_tol=1e-6) for a, b in zip(found, logged)]
        if len(found) != len(logged) or not all(same):
            raise SystemExit(f"{tag}: TensorBoard reads {found}, the log says {logged}")
        print(f"{tag}: {len(found)} values agree")


if __name__ == "__main__":
    main()
