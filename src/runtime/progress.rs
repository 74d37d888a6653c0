//! What is seen while a run goes on: a bar on a terminal, plain lines elsewhere; all on standard error.

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::term;
use crate::run::observer::{Evaluated, Observer, Started, Stepped, Summary};

/// An observer that shows what it is told.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    style: Style,
    tokens_per_step: u64,
    iterations: u64,
    /// The parts of the bar's message.
    loss: String,
    held_out: String,
    speed: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Bar,
    Lines,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        let style = if term::err_redraws() { Style::Bar } else { Style::Lines };
        let (loss, held_out, speed) = Default::default();
        Progress { bar: None, style, tokens_per_step: 0, iterations: 0, loss, held_out, speed }
    }

    /// A line that stays, above the bar where there is one.
    fn line(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| term::err(line)),
            None => term::err(line),
        }
    }

    fn open_bar(&mut self, length: u64, position: u64, template: &str) {
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(8));
        // The templates below are sound; should one not be, the plain bar does.
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(position);
        bar.reset_eta();
        self.bar = Some(bar);
    }

    fn close_bar(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn refresh(&self) {
        if let Some(bar) = &self.bar {
            let parts = [&self.loss, &self.held_out, &self.speed].into_iter().filter(|part| !part.is_empty());
            bar.set_message(parts.cloned().collect::<Vec<_>>().join("  "));
        }
    }

    fn time_left(&self, stepped: &Stepped) -> String {
        let tokens = self.iterations.saturating_sub(stepped.step) * self.tokens_per_step;
        let seconds = tokens as f64 / stepped.tokens_per_second;
        match seconds.is_finite() {
            true => duration(Duration::from_secs_f64(seconds.min(1e9))),
            false => "?".to_owned(),
        }
    }
}

impl Observer for Progress {
    fn started(&mut self, started: &Started) {
        self.tokens_per_step = started.tokens_per_step;
        self.iterations = started.iterations;
        let Started { experiment, step, iterations, parameters, train_bytes, held_out_bytes, unigram, .. } = started;
        self.line(&format!(
            "{experiment}: {} parameters, {} bytes of text to train on, {} held out",
            grouped(*parameters),
            grouped(*train_bytes),
            grouped(*held_out_bytes)
        ));
        self.line(&format!(
            "unigram entropy of the text: {:.3} nats/token, {:.3} bits/byte",
            unigram.nats_per_token, unigram.bits_per_byte
        ));
        if *step > 0 {
            self.line(&format!("going on after step {step} of {iterations}"));
        }
        if self.style == Style::Bar {
            let bar = if term::colors_wanted() { "{wide_bar:.cyan}" } else { "{wide_bar}" };
            self.open_bar(*iterations, *step, &format!("{bar} {{pos}}/{{len}}  {{msg}}  {{eta}} left"));
        }
    }

    fn progressed(&mut self, step: u64, _iterations: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(step);
        }
    }

    fn stepped(&mut self, stepped: &Stepped) {
        let Stepped { step, loss, loss_convention, learning_rate, grad_norm, tokens_per_second, .. } = stepped;
        let speed = grouped(*tokens_per_second as u64);
        match self.style {
            Style::Bar => {
                self.loss = format!("loss {loss:.3} ({loss_convention})");
                self.speed = format!("{speed} tok/s");
                self.refresh();
            }
            Style::Lines => self.line(&format!(
                "step {step}/{}  loss {loss:.4} ({loss_convention})  lr {learning_rate:.3e}  grad norm {grad_norm:.3}  \
                 {speed} tokens/s  {} left",
                self.iterations,
                self.time_left(stepped)
            )),
        }
    }

    fn evaluated(&mut self, evaluated: &Evaluated) {
        let Evaluated { step, nats_per_token, bits_per_byte, standard_error, .. } = evaluated;
        self.held_out = format!("NELBO {nats_per_token:.3}");
        self.refresh();
        if let (0, Some(bar)) = (*step, &self.bar) {
            // The first evaluation says nothing about the pace of steps.
            bar.reset_eta();
        }
        self.line(&format!(
            "step {step}/{}  held-out NELBO {nats_per_token:.4} ± {standard_error:.4} nats/token  \
             {bits_per_byte:.4} bits/byte",
            self.iterations
        ));
    }

    fn saved(&mut self, step: u64, checkpoint: &Path) {
        if self.style == Style::Lines {
            self.line(&format!("step {step}/{}  saved in {}", self.iterations, checkpoint.display()));
        }
    }

    fn noticed(&mut self, notice: &str) {
        self.line(&format!("note: {notice}"));
    }

    fn denoised(&mut self, step: u64, steps: u64) {
        if self.style == Style::Lines {
            return;
        }
        if self.bar.is_none() {
            self.open_bar(steps, 0, "sampling, step {pos}/{len}");
        }
        match &self.bar {
            Some(bar) if step < steps => bar.set_position(step),
            _ => self.close_bar(),
        }
    }

    fn finished(&mut self, _summary: &Summary) {
        self.close_bar();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.close_bar();
    }
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A length of time, to the second.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m {seconds:02}s"),
        _ => format!("{hours}h {minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, grouped};

    #[test]
    fn numbers_and_times() {
        assert_eq!(
            ["0", "999", "1,000", "12,345", "1,234,567"],
            [0, 999, 1_000, 12_345, 1_234_567].map(grouped).each_ref().map(String::as_str)
        );
        let words = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([words(7), words(67), words(3_725)], ["7s", "1m 07s", "1h 02m"]);
    }
}
