#!/usr/bin/env python3
"""Writes tests/data/numerics/*.safetensors: small decoders with their losses, gradients and parameters after a step.

An implementation of its own, in double precision, to which the runtime is compared. It follows the definitions
(masked-diffusion loss of MegaDLMs' `difflm-noshift`, plain next-token loss, AdamW with clipped gradients as Megatron
applies them) and shares nothing with the Rust code but the names of parameters.

    python3 -m venv .venv && .venv/bin/pip install torch==2.11.0 numpy safetensors
    .venv/bin/python tests/reference/make_numerics.py

Each file holds: `param.NAME`, `tokens` (the samples, one token longer than a sequence), `masked` (0 or 1 for each
position of the un-shifted rows; masked diffusion only), `hidden` (after the final norm), `loss`, `grad.NAME`,
`grad_norm`, `after.NAME` (parameters after one step) and `losses` (the loss before each of the first four steps on
the same batch). The metadata entry `case` describes network, objective and optimizer as JSON.
"""

import json
import math
import pathlib

import torch
from safetensors.torch import save_file

OUT = pathlib.Path(__file__).resolve().parent.parent / "data" / "numerics"

BASE = {
    "layers": 2, "hidden": 24, "heads": 4, "groups": 2, "head_dim": 6, "ffn": 20, "vocab": 37, "padded_vocab": 40,
    "sequence": 11, "norm": "rms_norm", "zero_centered": False, "epsilon": 1e-5, "qk_norm": True, "bias": False,
    "activation": "swiglu", "mask": {"kind": "bidirectional"},
    "rotary": {"dim": 6, "base": 10000.0, "interleaved": False}, "learned_positions": False, "tied": False,
}

# Clipping acts in every case but `gelu`. Epsilons are large enough that a gradient which is zero in exact arithmetic
# (the bias of keys: softmax does not see it) stays a small step in floating point.
CASES = {
    "swiglu": dict(network={}, objective="masked", clip=1.0, epsilon=1e-6),
    "gelu": dict(
        network={
            "norm": "layer_norm", "bias": True, "activation": "gelu", "learned_positions": True, "rotary": None,
            "tied": True, "qk_norm": False, "groups": 4, "ffn": 32, "sequence": 9,
        },
        objective="masked", clip=1e6, epsilon=1e-4,
    ),
    "causal": dict(
        network={
            "norm": "layer_norm", "zero_centered": True, "activation": "squared_relu", "groups": 1, "ffn": 32,
            "rotary": {"dim": 4, "base": 500.0, "interleaved": True}, "qk_norm": True,
        },
        objective="autoregressive", clip=0.5, epsilon=1e-4,
    ),
    "block_causal": dict(
        network={"zero_centered": True, "mask": {"kind": "block_causal", "block": 4}, "head_dim": 8, "tied": True,
                 "rotary": {"dim": 4, "base": 10000.0, "interleaved": False}},
        objective="masked", clip=1.0, epsilon=1e-6,
    ),
}
OPTIMIZER = {"lr": 2e-3, "weight_decay": 0.1, "beta1": 0.9, "beta2": 0.95}
ROWS, MASK_TOKEN = 3, 36


def parameters(net, gen):
    """Name -> (tensor, decays), in single-precision values held in double."""
    out = {}

    def put(name, *shape, around=0.0, spread=0.3):
        values = around + spread * torch.randn(*shape, generator=gen, dtype=torch.float64)
        out[name] = (values.float().double().requires_grad_(), len(shape) > 1)

    centre = 0.0 if net["zero_centered"] else 1.0
    h, d = net["hidden"], net["head_dim"]

    def norm(weight, bias, width):
        put(weight, width, around=centre, spread=0.2)
        if net["norm"] == "layer_norm":
            put(bias, width, spread=0.2)

    def linear(name, rows, columns, normed=False, bias=net["bias"]):
        if normed:
            norm(f"{name}.layer_norm_weight", f"{name}.layer_norm_bias", columns)
        put(f"{name}.weight", rows, columns)
        if bias:
            put(f"{name}.bias", rows)

    put("embedding.word_embeddings.weight", net["padded_vocab"], h)
    if net["learned_positions"]:
        put("embedding.position_embeddings.weight", net["sequence"], h)
    for i in range(net["layers"]):
        at = f"decoder.layers.{i}"
        linear(f"{at}.self_attention.linear_proj", h, net["heads"] * d)
        linear(f"{at}.self_attention.linear_qkv", (net["heads"] + 2 * net["groups"]) * d, h, normed=True)
        if net["qk_norm"]:
            norm(f"{at}.self_attention.q_layernorm.weight", f"{at}.self_attention.q_layernorm.bias", d)
            norm(f"{at}.self_attention.k_layernorm.weight", f"{at}.self_attention.k_layernorm.bias", d)
        linear(f"{at}.mlp.linear_fc1", net["ffn"] * (2 if net["activation"] == "swiglu" else 1), h, normed=True)
        linear(f"{at}.mlp.linear_fc2", h, net["ffn"])
    norm("decoder.final_layernorm.weight", "decoder.final_layernorm.bias", h)
    if not net["tied"]:
        linear("output_layer", net["padded_vocab"], h, bias=False)
    return out


class Network:
    def __init__(self, net, params):
        self.net = net
        self.p = {name: tensor for name, (tensor, _) in params.items()}

    def norm(self, x, weight, bias):
        net = self.net
        w = self.p[weight] + (1.0 if net["zero_centered"] else 0.0)
        if net["norm"] == "layer_norm":
            centred = x - x.mean(-1, keepdim=True)
            variance = (centred ** 2).mean(-1, keepdim=True)
            return centred / torch.sqrt(variance + net["epsilon"]) * w + self.p[bias]
        return x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + net["epsilon"]) * w

    def linear(self, x, name, normed=False):
        if normed:
            x = self.norm(x, f"{name}.layer_norm_weight", f"{name}.layer_norm_bias")
        y = x @ self.p[f"{name}.weight"].T
        return y + self.p[f"{name}.bias"] if f"{name}.bias" in self.p else y

    def rotate(self, x, positions):
        """x [b, s, d] of one head: each pair of the first `dim` elements is a point that turns with its position."""
        rot = self.net["rotary"]
        dim = rot["dim"]
        y = x.clone()
        for k in range(dim // 2):
            i, j = (2 * k, 2 * k + 1) if rot["interleaved"] else (k, k + dim // 2)
            angle = positions * rot["base"] ** (-2.0 * k / dim)
            cos, sin = torch.cos(angle), torch.sin(angle)
            y[..., i] = x[..., i] * cos - x[..., j] * sin
            y[..., j] = x[..., i] * sin + x[..., j] * cos
        return y

    def attention(self, x, at, allowed, positions):
        net = self.net
        heads, groups, d = net["heads"], net["groups"], net["head_dim"]
        each = heads // groups
        mixed = self.linear(x, f"{at}.linear_qkv", normed=True)
        outputs = []
        for g in range(groups):
            base = g * (each + 2) * d
            slot = lambda n: mixed[..., base + n * d: base + (n + 1) * d]
            key, value = slot(each), slot(each + 1)
            if net["qk_norm"]:
                key = self.norm(key, f"{at}.k_layernorm.weight", f"{at}.k_layernorm.bias")
            if net["rotary"]:
                key = self.rotate(key, positions)
            for n in range(each):
                query = slot(n)
                if net["qk_norm"]:
                    query = self.norm(query, f"{at}.q_layernorm.weight", f"{at}.q_layernorm.bias")
                if net["rotary"]:
                    query = self.rotate(query, positions)
                scores = query @ key.transpose(-1, -2) / math.sqrt(d)
                scores = scores.masked_fill(~allowed, float("-inf"))
                outputs.append(torch.softmax(scores, -1) @ value)
        return self.linear(torch.cat(outputs, -1), f"{at}.linear_proj")

    def mlp(self, x, at):
        y = self.linear(x, f"{at}.linear_fc1", normed=True)
        kind = self.net["activation"]
        if kind == "swiglu":
            gate, up = y[..., : self.net["ffn"]], y[..., self.net["ffn"]:]
            y = gate / (1 + torch.exp(-gate)) * up
        elif kind == "gelu":
            y = 0.5 * y * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y ** 3)))
        else:
            y = torch.clamp(y, min=0) ** 2
        return self.linear(y, f"{at}.linear_fc2")

    def hidden(self, tokens, first, causal):
        net = self.net
        length = tokens.shape[1]
        q, k = torch.arange(length)[:, None], torch.arange(length)[None, :]
        kind = net["mask"]["kind"]
        if causal or kind == "causal":
            allowed = k <= q
        elif kind == "block_causal":
            allowed = k // net["mask"]["block"] <= q // net["mask"]["block"]
        else:
            allowed = torch.ones(length, length, dtype=torch.bool)
        positions = torch.arange(first, first + length)
        x = self.p["embedding.word_embeddings.weight"][tokens]
        if net["learned_positions"]:
            x = x + self.p["embedding.position_embeddings.weight"][positions]
        for i in range(net["layers"]):
            at = f"decoder.layers.{i}"
            x = x + self.attention(x, f"{at}.self_attention", allowed, positions.double())
            x = x + self.mlp(x, f"{at}.mlp")
        return self.norm(x, "decoder.final_layernorm.weight", "decoder.final_layernorm.bias")

    def cross_entropy(self, hidden, labels):
        head = self.p["embedding.word_embeddings.weight" if self.net["tied"] else "output_layer.weight"]
        logits = hidden @ head.T
        return torch.logsumexp(logits, -1) - logits.gather(-1, labels[..., None])[..., 0]


def loss_of(model, objective, text, masked):
    """text [rows, S + 1]; the loss and the final hidden states."""
    if objective == "autoregressive":
        hidden = model.hidden(text[:, :-1], 0, causal=True)
        return model.cross_entropy(hidden, text[:, 1:]).mean(), hidden
    clean = text[:, 1:-1]
    hidden = model.hidden(torch.where(masked, MASK_TOKEN, clean), 1, causal=False)
    share = masked.double().mean(1, keepdim=True)
    everywhere = model.cross_entropy(hidden, clean) * masked / share
    return everywhere.sum() / everywhere.numel(), hidden


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for number, (name, case) in enumerate(CASES.items()):
        gen = torch.Generator().manual_seed(100 + number)
        net = {**BASE, **case["network"]}
        params = parameters(net, gen)
        model = Network(net, params)
        text = torch.randint(0, net["vocab"] - 1, (ROWS, net["sequence"] + 1), generator=gen)
        masked = torch.rand(ROWS, net["sequence"] - 1, generator=gen) < torch.tensor([[0.2], [0.5], [0.9]])
        masked[:, 0] |= ~masked.any(1)
        stored = {f"param.{key}": value.detach().float() for key, (value, _) in params.items()}
        stored["tokens"] = text
        if case["objective"] == "masked":
            stored["masked"] = masked.to(torch.uint8)
        moments = {key: (torch.zeros_like(value), torch.zeros_like(value)) for key, (value, _) in params.items()}
        losses = []
        for step in range(1, 5):
            leaves = [value for value, _ in params.values()]
            loss, hidden = loss_of(model, case["objective"], text, masked)
            losses.append(loss.item())
            gradients = torch.autograd.grad(loss, leaves)
            norm = math.sqrt(sum((g ** 2).sum().item() for g in gradients))
            if step == 1:
                stored["hidden"] = hidden.detach().float()
                stored["loss"] = loss.detach().float().reshape(1)
                stored["grad_norm"] = torch.tensor([norm], dtype=torch.float64)
                stored.update({f"grad.{key}": g.float() for key, g in zip(params, gradients)})
            scale = min(1.0, case["clip"] / (norm + 1e-6))
            with torch.no_grad():
                for (key, (value, decays)), gradient in zip(params.items(), gradients):
                    g, (first, second) = gradient * scale, moments[key]
                    b1, b2 = OPTIMIZER["beta1"], OPTIMIZER["beta2"]
                    first.copy_(b1 * first + (1 - b1) * g)
                    second.copy_(b2 * second + (1 - b2) * g * g)
                    update = first / (1 - b1 ** step) / (torch.sqrt(second / (1 - b2 ** step)) + case["epsilon"])
                    update = update + (OPTIMIZER["weight_decay"] * value if decays else 0.0)
                    value -= OPTIMIZER["lr"] * update
            if step == 1:
                stored.update({f"after.{key}": value.detach().float() for key, (value, _) in params.items()})
        stored["losses"] = torch.tensor(losses, dtype=torch.float64)
        described = {"network": net, "objective": case["objective"], "mask_token": MASK_TOKEN,
                     "clip": case["clip"], "epsilon": case["epsilon"], **OPTIMIZER}
        path = OUT / f"{name}.safetensors"
        save_file({key: value.contiguous() for key, value in stored.items()}, path, {"case": json.dumps(described)})
        print(f"{name}: {len(params)} parameters, loss {losses[0]:.6f}, norm {norm:.4f}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
