//! The network, for reading.

use crate::spec::graph::{LayerGraph, Module, Node};

/// An indented tree with shapes and parameter counts. Runs of equal layers are folded into one.
pub fn tree(graph: &LayerGraph) -> String {
    let dims = graph.dims;
    let mut text = format!(
        "{}   {} parameters   s={} b={} h={} v={}\n",
        graph.root.class,
        grouped(graph.root.parameter_count()),
        dims.sequence,
        dims.micro_batch,
        dims.hidden,
        dims.padded_vocab
    );
    children(&graph.root, "", &mut text);
    text
}

/// The whole graph as JSON: `{"version": 1, "dims": …, "root": …}`, the form that `run.json` holds.
pub fn json(graph: &LayerGraph) -> String {
    let whole = serde_json::json!({ "version": crate::spec::RunSpec::VERSION, "graph": graph });
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn children(node: &Node, indent: &str, text: &mut String) {
    let runs = folded(&node.children);
    let last = runs.len().saturating_sub(1);
    for (at, (first, count)) in runs.iter().enumerate() {
        let (branch, below) = if at == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let name = match count {
            1 => first.name.clone(),
            _ => {
                let start: u64 = first.name.parse().unwrap_or(0);
                format!("{}…{} (×{count})", first.name, start + *count as u64 - 1)
            }
        };
        text.push_str(&format!("{indent}{branch}{name}: {}{}\n", first.class, facts(first, *count)));
        let below = format!("{indent}{below}");
        for parameter in &first.parameters {
            let shape: Vec<String> = parameter.shape.iter().map(u64::to_string).collect();
            let dtype = format!("{:?}", parameter.dtype).to_lowercase();
            let bar = if first.children.is_empty() { "  " } else { "│ " };
            text.push_str(&format!("{below}{bar}{} [{}] {dtype}\n", parameter.name, shape.join(", ")));
        }
        children(first, &below, text);
    }
}

/// Children with runs of equal ones, names aside, counted.
fn folded(children: &[Node]) -> Vec<(&Node, usize)> {
    let mut runs: Vec<(&Node, usize)> = Vec::new();
    for child in children {
        match runs.last_mut() {
            Some((first, count)) if numbered_alike(first, child) => *count += 1,
            Some(_) | None => runs.push((child, 1)),
        }
    }
    runs
}

/// Whether two numbered nodes are equal but for their numbers.
fn numbered_alike(a: &Node, b: &Node) -> bool {
    let is_number = |node: &Node| node.name.parse::<u64>().is_ok();
    is_number(a) && is_number(b) && alike(a, b)
}

/// Whether two nodes are equal, names and causes aside; those of their parts count.
fn alike(a: &Node, b: &Node) -> bool {
    a.class == b.class
        && a.module == b.module
        && a.parameters == b.parameters
        && a.children.len() == b.children.len()
        && a.children.iter().zip(&b.children).all(|(a, b)| a.name == b.name && alike(a, b))
}

/// What is worth knowing of a module beside its class: shapes, parameters, what it was built with.
fn facts(node: &Node, count: usize) -> String {
    let mut text = format!("   {} → {}", node.input, node.output);
    let parameters = node.parameter_count();
    if parameters > 0 {
        text.push_str(&format!("   {}", grouped(parameters)));
        if count > 1 {
            text.push_str(" each");
        }
    }
    match &node.module {
        Module::SelfAttention { heads, groups, head_dim } => {
            text.push_str(&format!("   {heads} heads, {groups} groups of {head_dim}"));
        }
        Module::CoreAttention { mask, implementation, .. } => {
            text.push_str(&format!("   {}, {implementation}", mask_name(*mask)));
        }
        Module::Mlp { activation } => {
            text.push_str(&format!("   {}", format!("{activation:?}").to_lowercase()));
        }
        Module::GptModel { .. }
        | Module::Embedding { .. }
        | Module::Lookup
        | Module::TransformerBlock
        | Module::Layers
        | Module::TransformerLayer { .. }
        | Module::Linear { .. }
        | Module::Norm(_) => {}
    }
    text
}

fn mask_name(mask: crate::spec::attention::AttentionMask) -> String {
    use crate::spec::attention::AttentionMask;
    match mask {
        AttentionMask::Bidirectional => "bidirectional".to_owned(),
        AttentionMask::Causal => "causal".to_owned(),
        AttentionMask::BlockCausal { block } => format!("block-causal, blocks of {block}"),
    }
}

/// `1_732_895_744`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}
