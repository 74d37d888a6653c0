//! The terminal: the only place that prints.

use std::io::{self, ErrorKind, IsTerminal, Write};

/// Writes to standard output. A reader who has gone away is no error; a full disk is.
pub fn out(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(fault) if fault.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a line to standard error. Where even that cannot be written, there is nobody to tell.
pub fn err(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(format!("{line}\n").as_bytes());
}

/// Whether standard error is a terminal that can redraw a line.
pub fn err_redraws() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether standard output is a terminal.
pub fn out_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Columns to write in: those of the terminal as `COLUMNS` or the terminal itself says, else 100.
pub fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).unwrap_or(100).clamp(40, 200)
}

/// Whether colors are wanted on a terminal: not where `NO_COLOR` is set to anything (<https://no-color.org>).
pub fn colors_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Writes what clap has to say: help and version to standard output, complaints to standard error.
pub fn usage(fault: &clap::Error) -> io::Result<()> {
    let styled = fault.render();
    let text = |terminal: bool| match terminal && colors_wanted() {
        true => styled.ansi().to_string(),
        false => styled.to_string(),
    };
    if fault.use_stderr() {
        err(text(io::stderr().is_terminal()).trim_end());
        return Ok(());
    }
    out(&text(io::stdout().is_terminal()))
}

/// Text that came from a model, made safe for a terminal: control characters other than line breaks and tabs are
/// shown as `\x1b`, broken UTF-8 as U+FFFD.
pub fn printable(text: &[u8]) -> String {
    let mut shown = String::new();
    for character in String::from_utf8_lossy(text).chars() {
        match character {
            '\n' | '\t' => shown.push(character),
            _ if character.is_control() => shown.push_str(&format!("\\x{:02x}", u32::from(character))),
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(printable(b"a\x1b[2Jb\r\n\tc\x00\xff"), "a\\x1b[2Jb\\x0d\n\tc\\x00\u{fffd}");
    }
}
