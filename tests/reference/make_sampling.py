#!/usr/bin/env python3
"""Writes tests/data/sampling.json: what a small network generates under several ways of sampling.

An implementation of its own of LLaDA's sampler (arXiv 2502.09992, appendix B.4), in double precision, on the networks
of make_numerics.py; noise comes from an own Philox4x32-10. Two departures from LLaDA's published loop, both meant: the
mask token and rows of the embedding that are no tokens are left out before the softmax, and noise is a function of
(seed, text, step, position, token).

    .venv/bin/python tests/reference/make_sampling.py

A case where two candidates are so close that single precision could turn them around is refused.
"""

import json
import math
import pathlib

import torch
from safetensors import safe_open

import make_numerics

OUT = make_numerics.OUT.parent / "sampling.json"
MASK = make_numerics.MASK_TOKEN
CLOSEST = 5e-5
# Numbers of the streams of randomness in src/run/random: tokens and positions of sampling.
TOKEN_STREAM, POSITION_STREAM = 8, 9

CASES = [
    dict(network="swiglu", prompt=[4], length=16, block_length=16, steps=16, temperature=0.0, remasking="low_confidence"),
    dict(network="swiglu", prompt=[5, 1, 30], length=12, block_length=4, steps=6, temperature=0.0, remasking="low_confidence"),
    dict(network="swiglu", prompt=[7], length=10, block_length=10, steps=4, temperature=0.0, remasking="low_confidence"),
    dict(network="swiglu", prompt=[7], length=6, block_length=3, steps=10, temperature=0.0, remasking="low_confidence"),
    dict(network="block_causal", prompt=[2, 9], length=8, block_length=4, steps=4, temperature=0.0, remasking="low_confidence"),
    dict(network="swiglu", prompt=[3, 3], length=12, block_length=6, steps=6, temperature=0.7, remasking="low_confidence"),
    dict(network="swiglu", prompt=[3, 3], length=12, block_length=6, steps=6, temperature=0.0, remasking="random"),
    dict(network="gelu", prompt=[], length=6, block_length=2, steps=6, temperature=1.0, remasking="random"),
]
SEED, TEXTS = 77, 2


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def uniform(stream, text, step, position):
    words = philox([position // 4, stream, step, text], [SEED & 0xFFFFFFFF, SEED >> 32])
    return words[position % 4] / 2**32


def load(name):
    with safe_open(make_numerics.OUT / f"{name}.safetensors", "pt") as stored:
        case = json.loads(stored.metadata()["case"])
        params = {k[6:]: (stored.get_tensor(k).double(), True) for k in stored.keys() if k.startswith("param.")}
    return make_numerics.Network(case["network"], params)


def logits(model, tokens):
    head = model.p["embedding.word_embeddings.weight" if model.net["tied"] else "output_layer.weight"]
    out = model.hidden(torch.tensor([tokens]), 1, causal=False)[0] @ head.T
    out[:, MASK] = -math.inf
    out[:, model.net["vocab"]:] = -math.inf
    return out


def sample(case, text):
    model = load(case["network"])
    size = model.net["vocab"]
    tokens = case["prompt"] + [MASK] * case["length"]
    order = [None] * case["length"]
    blocks = case["length"] // case["block_length"]
    each = case["steps"] // blocks
    margin = math.inf
    for block in range(blocks):
        start = len(case["prompt"]) + block * case["block_length"]
        places = range(start, start + case["block_length"])
        even, rest = divmod(case["block_length"], each)
        for number in range(each):
            step = block * each + number
            commits = even + (1 if number < rest else 0)
            out = logits(model, tokens)
            found = []
            for at in places:
                if tokens[at] != MASK:
                    continue
                row = out[at].clone()
                if case["temperature"] > 0:
                    noise = [uniform(TOKEN_STREAM, text, step, at * size + k) or 2**-33 for k in range(size)]
                    gumbel = torch.tensor([-math.log(-math.log(u)) for u in noise], dtype=torch.float64)
                    row[:size] += case["temperature"] * gumbel
                first, second = torch.topk(row, 2).values.tolist()
                margin = min(margin, first - second)
                token = int(row.argmax())
                if case["remasking"] == "low_confidence":
                    priority = float(torch.softmax(out[at], 0)[token])
                else:
                    priority = uniform(POSITION_STREAM, text, step, at)
                found.append((-priority, at, token))
            found.sort()
            if 0 < commits < len(found):
                margin = min(margin, found[commits][0] - found[commits - 1][0])
            for _, at, token in found[:commits]:
                tokens[at] = token
                order[at - len(case["prompt"])] = step
    if margin < CLOSEST:
        raise SystemExit(f"{case} is decided by {margin}")
    return {"tokens": tokens[len(case["prompt"]):], "committed_at": order}


def main():
    known = philox([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0])
    assert known == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1], "Philox is not Philox"
    cases = [{**case, "texts": [sample(case, text) for text in range(TEXTS)]} for case in CASES]
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    OUT.write_text(f'{{"seed": {SEED}, "mask_token": {MASK}, "cases": [\n{lines}\n]}}\n')
    for case in cases:
        print([text["tokens"] for text in case["texts"]])


if __name__ == "__main__":
    main()
