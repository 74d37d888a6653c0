//! Lines to text: empty lines thinned, operators and comments aligned.

use crate::fmt::line::Line;

/// The text of the lines, which ends with one line break.
pub(super) fn lay_out(mut lines: Vec<Line>) -> String {
    thin(&mut lines);
    align_operators(&mut lines);
    align_comments(&mut lines);
    let mut text = String::new();
    for line in &lines {
        if !line.is_empty() {
            text.push_str(&" ".repeat(line.indent));
            text.push_str(&line.code);
            if let Some(comment) = &line.comment {
                text.push_str(comment);
            }
        }
        text.push('\n');
    }
    text
}

/// One empty line at most, none at the start and the end of the file and of a block.
fn thin(lines: &mut Vec<Line>) {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines.drain(..) {
        let unwanted = line.is_empty() && kept.last().is_none_or(|before| before.is_empty() || before.opens);
        if unwanted {
            continue;
        }
        if line.closes && kept.last().is_some_and(Line::is_empty) {
            kept.pop();
        }
        kept.push(line);
    }
    while kept.last().is_some_and(Line::is_empty) {
        kept.pop();
    }
    *lines = kept;
}

/// Aligns the operators of settings that stand line under line at one depth.
fn align_operators(lines: &mut [Line]) {
    for run in lines.chunk_by_mut(|a, b| a.name.is_some() && b.name.is_some() && a.indent == b.indent) {
        // `?=` and its kin end where `=` ends.
        let width = |line: &Line| {
            let name = line.name.unwrap_or(0);
            let operator = line.code.get(name..).unwrap_or("").trim_start();
            let marks = operator.find('=').unwrap_or(0);
            name + marks
        };
        let widest = run.iter().map(width).max().unwrap_or(0);
        for line in run.iter_mut() {
            if let Some(name) = line.name {
                let blanks = " ".repeat(widest - width(line));
                let rest = line.code.split_off(name);
                line.code.push_str(&blanks);
                line.code.push_str(&rest);
            }
        }
    }
}

/// Puts comments behind code two blanks off, aligned where they stand line under line.
fn align_comments(lines: &mut [Line]) {
    let trails = |line: &Line| line.comment.is_some() && !line.code.is_empty();
    for run in lines.chunk_by_mut(|a, b| trails(a) && trails(b)) {
        let width = |line: &Line| line.indent + line.code.chars().count();
        let widest = run.iter().filter(|line| trails(line)).map(width).max().unwrap_or(0);
        for line in run.iter_mut().filter(|line| trails(line)) {
            let blanks = " ".repeat(widest - width(line) + 2);
            line.code.push_str(&blanks);
        }
    }
}
