//! The excerpt of one file: numbered lines, underlines, and what is written at them. Knows letters and columns only.
//!
//! ```text
//!    ╭─[exp.dlm:3:11]
//!  2 │   hidden = 10
//!    │            ─┬ this
//!  3 │   heads  = 3
//!    │            ┬ does not divide it
//! ```
//! A line that is too long is cut around its marks; where they are too far apart, it is drawn once for each group.

use std::collections::{BTreeMap, BTreeSet};

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How far a tab reaches in an excerpt.
const TAB: usize = 4;
/// An excerpt takes at least so many columns, however narrow the screen.
const NARROWEST: usize = 24;
/// Letters shown before a mark for which its line has to be cut.
const LEAD: usize = 16;

/// The styles of one diagnostic; all of them plain where there is no color.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pens {
    pub(super) severity: Style,
    pub(super) message: Style,
    pub(super) primary: Style,
    pub(super) secondary: Style,
    pub(super) frame: Style,
    pub(super) help: Style,
}

impl Pens {
    /// Colored, with that color for the severity and the primary place.
    pub(super) fn colored(severity: AnsiColor) -> Self {
        let ink = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        Pens {
            severity: ink(severity).bold(),
            message: Style::new().bold(),
            primary: ink(severity).bold(),
            secondary: ink(AnsiColor::Cyan),
            frame: ink(AnsiColor::BrightBlack),
            help: ink(AnsiColor::Green).bold(),
        }
    }
}

/// A place in an excerpt: the line from 1, and the byte within the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) line: usize,
    pub(super) byte: usize,
}

/// Something to underline.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) start: Point,
    pub(super) end: Point,
    pub(super) text: String,
    pub(super) primary: bool,
}

/// What to show of one file.
#[derive(Clone, Debug)]
pub(super) struct Excerpt {
    /// What stands in the frame: name, line and column.
    pub(super) title: String,
    /// At least the lines of the marks, without line breaks.
    pub(super) lines: BTreeMap<usize, String>,
    pub(super) marks: Vec<Mark>,
}

/// The room that excerpts of one diagnostic share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Columns of the line numbers.
    pub(super) numbers: usize,
    /// Columns of the screen.
    pub(super) width: usize,
    pub(super) pens: Pens,
}

impl Excerpt {
    /// The largest line number that it shows.
    pub(super) fn last_line(&self) -> usize {
        self.marks.iter().map(|mark| mark.end.line).max().unwrap_or(1)
    }

    /// Draws it, with `corner` where its frame begins.
    pub(super) fn draw(&self, corner: char, room: Room) -> String {
        let frame = room.pens.frame;
        let title = &self.title;
        let mut out =
            format!("{:numbers$} {frame}{corner}─[{frame:#}{title}{frame}]{frame:#}\n", "", numbers = room.numbers);
        let mut lanes: Vec<&Mark> = self.marks.iter().filter(|mark| mark.start.line < mark.end.line).collect();
        lanes.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
        let mut previous: Option<usize> = None;
        for line in self.shown_lines() {
            if previous.is_some_and(|previous| previous + 1 < line) {
                out.push_str(&self.gap(&lanes, line, room));
            }
            previous = Some(line);
            self.draw_line(&mut out, line, &lanes, room);
        }
        out
    }

    /// The lines with a mark, and a line that would be the only one left out between two of them.
    fn shown_lines(&self) -> BTreeSet<usize> {
        let mut shown: BTreeSet<usize> = self.marks.iter().flat_map(|mark| [mark.start.line, mark.end.line]).collect();
        let between = shown.iter().filter(|&&line| !shown.contains(&(line + 1)) && shown.contains(&(line + 2)));
        let between: Vec<usize> = between.map(|line| line + 1).filter(|line| self.lines.contains_key(line)).collect();
        shown.extend(between);
        shown
    }

    /// Stands for lines that are not shown.
    fn gap(&self, lanes: &[&Mark], before: usize, room: Room) -> String {
        let states = lanes.iter().map(|mark| match mark.start.line < before && before <= mark.end.line {
            true => Lane::Pass,
            false => Lane::Empty,
        });
        let row = lane_row(lanes, &states.collect::<Vec<_>>(), room.pens);
        let frame = room.pens.frame;
        format!("{:numbers$} {frame}⋮{frame:#} {}", "", row.paint(), numbers = room.numbers).trim_end().to_owned()
            + "\n"
    }

    fn draw_line(&self, out: &mut String, line: usize, lanes: &[&Mark], room: Room) {
        let strip = Strip::new(self.lines.get(&line).map_or("", String::as_str));
        let on_source = lanes.iter().map(|mark| match (mark.start.line, mark.end.line) {
            (start, _) if start == line => Lane::Start,
            (_, end) if end == line && mark.text.is_empty() => Lane::Last,
            (_, end) if end == line => Lane::End,
            (start, end) if start < line && line < end => Lane::Pass,
            _ => Lane::Empty,
        });
        let source = lane_row(lanes, &on_source.collect::<Vec<_>>(), room.pens);
        // Under the line, a lane that ends here goes on until its own text.
        let mut states: Vec<Lane> = lanes.iter().map(|mark| lane_below(mark, line)).collect();
        let below = lane_row(lanes, &states, room.pens);

        let single = self.marks.iter().filter(|mark| mark.start.line == line && mark.end.line == line);
        let single: Vec<Stroke<'_>> = single.map(|mark| Stroke::new(mark, &strip, room.pens)).collect();
        let capacity = room.width.saturating_sub(room.numbers + 3 + lane_width(lanes.len())).max(NARROWEST);
        for (window, strokes) in windows(&strip, single, capacity) {
            let mut row = source.clone();
            row.put(lane_width(lanes.len()), &strip.text(window), Style::new());
            out.push_str(&numbered(&line.to_string(), &row, room));
            for strokes in tiers(strokes, capacity) {
                for marks in mark_rows(&strokes, capacity) {
                    let mut row = below.clone();
                    row.append(lane_width(lanes.len()), &marks);
                    out.push_str(&numbered("", &row, room));
                }
            }
        }

        for at in (0..lanes.len()).rev() {
            let (Some(mark), Some(state)) = (lanes.get(at), states.get_mut(at)) else { continue };
            if mark.end.line != line || mark.text.is_empty() {
                continue;
            }
            *state = Lane::Close;
            let mut ahead = lane_row(lanes, &states, room.pens);
            if let Some(state) = states.get_mut(at) {
                *state = Lane::Empty;
            }
            for text in wrap(&mark.text, capacity) {
                ahead.put(lane_width(lanes.len()), &text, pen(mark, room.pens));
                out.push_str(&numbered("", &ahead, room));
                ahead = lane_row(lanes, &states, room.pens);
            }
        }
    }
}

fn pen(mark: &Mark, pens: Pens) -> Style {
    if mark.primary { pens.primary } else { pens.secondary }
}

fn numbered(number: &str, row: &Row, room: Room) -> String {
    let frame = room.pens.frame;
    let line = format!("{frame}{number:>numbers$} │{frame:#} {}", row.paint(), numbers = room.numbers);
    line.trim_end().to_owned() + "\n"
}

// ---- Lanes: the lines at the left that hold marks over several lines together.

/// What one lane does in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Empty,
    Pass,
    Start,
    /// Points at the last line; its text follows.
    End,
    /// Points at the last line; there is no text.
    Last,
    /// Leads to the text.
    Close,
}

fn lane_below(mark: &Mark, line: usize) -> Lane {
    let ends_later = line < mark.end.line || (line == mark.end.line && !mark.text.is_empty());
    if mark.start.line <= line && ends_later { Lane::Pass } else { Lane::Empty }
}

/// Columns of all lanes together, with the arrow and a blank.
fn lane_width(lanes: usize) -> usize {
    if lanes == 0 { 0 } else { lanes + 3 }
}

fn lane_row(lanes: &[&Mark], states: &[Lane], pens: Pens) -> Row {
    let mut row = Row::default();
    let bends = |state: Lane| match state {
        Lane::Start | Lane::End | Lane::Last | Lane::Close => true,
        Lane::Empty | Lane::Pass => false,
    };
    let first = states.iter().position(|&state| bends(state));
    for (at, (mark, &state)) in lanes.iter().zip(states).enumerate() {
        let crossed = first.is_some_and(|first| first < at);
        let symbol = match (state, crossed) {
            (Lane::Empty, _) => continue,
            (Lane::Pass, false) => "│",
            (Lane::Pass, true) => "┼",
            (Lane::Start, false) => "╭",
            (Lane::Start, true) => "┬",
            (Lane::End, false) => "├",
            (Lane::End, true) => "┼",
            (Lane::Last | Lane::Close, false) => "╰",
            (Lane::Last | Lane::Close, true) => "┴",
        };
        row.put(at, symbol, pen(mark, pens));
    }
    if let Some((first, mark)) = first.and_then(|first| Some((first, lanes.get(first)?))) {
        let points = states.get(first).is_some_and(|&state| state != Lane::Close);
        for at in first + 1..lanes.len() {
            if states.get(at) == Some(&Lane::Empty) {
                row.put(at, "─", pen(mark, pens));
            }
        }
        row.put(lanes.len(), if points { "─▶" } else { "──" }, pen(mark, pens));
    }
    row
}

// ---- Lines: letters with the columns that they take.

/// A line of source, each letter with its place on the screen.
struct Strip {
    glyphs: Vec<Glyph>,
    width: usize,
}

struct Glyph {
    byte: usize,
    column: usize,
    width: usize,
    letter: char,
}

/// The columns `from..to` of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    from: usize,
    to: usize,
    cut_left: bool,
    cut_right: bool,
}

impl Strip {
    fn new(line: &str) -> Self {
        let mut width = 0;
        let mut glyphs = Vec::new();
        for (byte, letter) in line.char_indices() {
            let (letter, columns) = match letter {
                '\t' => (' ', TAB - width % TAB),
                letter => (visible(letter), visible(letter).width().unwrap_or(1)),
            };
            glyphs.push(Glyph { byte, column: width, width: columns, letter });
            width += columns;
        }
        Strip { glyphs, width }
    }

    /// The column where the letter at `byte` begins; the end of the line if there is none.
    fn column(&self, byte: usize) -> usize {
        let at = self.glyphs.partition_point(|glyph| glyph.byte < byte);
        self.glyphs.get(at).map_or(self.width, |glyph| glyph.column)
    }

    /// What a window shows, with `…` where it cuts.
    fn text(&self, window: Window) -> String {
        let first = window.from + usize::from(window.cut_left);
        let last = window.to - usize::from(window.cut_right);
        let mut text = String::from(if window.cut_left { "…" } else { "" });
        let mut column = first;
        for glyph in self.glyphs.iter().filter(|glyph| first <= glyph.column && glyph.column + glyph.width <= last) {
            // A wide letter that lay across the cut leaves a blank.
            text.extend(std::iter::repeat_n(' ', glyph.column.saturating_sub(column)));
            text.push(glyph.letter);
            if glyph.letter == ' ' {
                text.extend(std::iter::repeat_n(' ', glyph.width.saturating_sub(1)));
            }
            column = glyph.column + glyph.width;
        }
        if window.cut_right {
            text.extend(std::iter::repeat_n(' ', last.saturating_sub(column)));
            text.push('…');
        }
        text
    }
}

/// A letter as it may stand on a terminal: no escape sequences, and nothing that reorders the line.
pub(super) fn visible(letter: char) -> char {
    match letter {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
        letter => letter,
    }
}

/// A mark within one line, in columns.
#[derive(Clone, Copy)]
struct Stroke<'a> {
    start: usize,
    end: usize,
    empty: bool,
    text: &'a str,
    pen: Style,
}

impl<'a> Stroke<'a> {
    fn new(mark: &'a Mark, strip: &Strip, pens: Pens) -> Self {
        let start = strip.column(mark.start.byte);
        // A mark on a letter without width, or behind the line, still needs a column.
        let end = strip.column(mark.end.byte).max(start + 1);
        Stroke { start, end, empty: mark.start == mark.end, text: &mark.text, pen: pen(mark, pens) }
    }

    /// Where the text is tied to the underline.
    fn tie(&self) -> usize {
        self.start + (self.end - self.start) / 2
    }

    /// Whether its text does not fit to the right of the tie, and there is more room to the left.
    fn turns_left(&self, capacity: usize) -> bool {
        let right = capacity.saturating_sub(self.tie() + 2);
        self.tie() > right && self.text.lines().any(|line| line.width() > right)
    }

    /// Its part inside a window, counted from the window's start.
    fn within(self, window: Window) -> Self {
        let first = window.from + usize::from(window.cut_left);
        // Behind the end of an uncut line there is still room for a mark.
        let last = if window.cut_right { window.to - 1 } else { usize::MAX };
        let start = self.start.clamp(first, last.saturating_sub(1).max(first));
        let end = self.end.clamp(start + 1, last.max(start + 1));
        Stroke { start: start - window.from, end: end - window.from, ..self }
    }
}

/// The parts of a line to draw, each with its marks; one part, the whole line, wherever it fits.
fn windows<'a>(strip: &Strip, mut strokes: Vec<Stroke<'a>>, capacity: usize) -> Vec<(Window, Vec<Stroke<'a>>)> {
    if strip.width <= capacity {
        let whole = Window { from: 0, to: strip.width, cut_left: false, cut_right: false };
        return vec![(whole, strokes)];
    }
    strokes.sort_by_key(|stroke| (stroke.start, stroke.end));
    let mut groups: Vec<Vec<Stroke<'a>>> = Vec::new();
    for stroke in strokes {
        let fits = |group: &Vec<Stroke<'a>>| match (group.first(), group.iter().map(|stroke| stroke.end).max()) {
            (Some(first), Some(end)) => end.max(stroke.end) - first.start + 2 <= capacity,
            _ => false,
        };
        match groups.last_mut() {
            Some(group) if fits(group) => group.push(stroke),
            _ => groups.push(vec![stroke]),
        }
    }
    if groups.is_empty() {
        groups.push(Vec::new());
    }
    let window = |group: &[Stroke<'a>]| {
        let start = group.first().map_or(0, |stroke| stroke.start);
        let end = group.iter().map(|stroke| stroke.end).max().unwrap_or(0);
        let spare = capacity.saturating_sub(end - start + 2);
        let from = if end < capacity { 0 } else { start.saturating_sub(1 + spare.min(LEAD)) };
        let from = from.min((strip.width + 1).saturating_sub(capacity));
        let to = from + capacity;
        Window { from, to: to.min(strip.width), cut_left: from > 0, cut_right: to < strip.width }
    };
    let placed = groups.into_iter().map(|group| {
        let window = window(&group);
        (window, group.into_iter().map(|stroke| stroke.within(window)).collect())
    });
    placed.collect()
}

/// Marks that overlap go to rows of their own, the shorter one nearer to the line; and so does a mark whose text has to
/// turn to the left, where the ties of others would be in its way.
fn tiers(mut strokes: Vec<Stroke<'_>>, capacity: usize) -> Vec<Vec<Stroke<'_>>> {
    strokes.sort_by_key(|stroke| (stroke.end - stroke.start, stroke.start));
    let mut tiers: Vec<Vec<Stroke<'_>>> = Vec::new();
    for stroke in strokes {
        let free = |tier: &&mut Vec<Stroke<'_>>| {
            let apart = |other: &Stroke<'_>| stroke.end < other.start || other.end < stroke.start;
            tier.iter().all(|other| apart(other) && !other.turns_left(capacity)) && !stroke.turns_left(capacity)
        };
        match tiers.iter_mut().find(free) {
            Some(tier) => tier.push(stroke),
            None => tiers.push(vec![stroke]),
        }
    }
    for tier in &mut tiers {
        tier.sort_by_key(|stroke| stroke.start);
    }
    tiers
}

/// The underlines of one tier, and under them the texts that do not fit beside the last one.
fn mark_rows(strokes: &[Stroke<'_>], capacity: usize) -> Vec<Row> {
    let mut underline = Row::default();
    for stroke in strokes {
        underline.put(stroke.start, &"─".repeat(stroke.end - stroke.start), stroke.pen);
        match (stroke.empty, stroke.text.is_empty()) {
            (true, _) => underline.put(stroke.start, "▲", stroke.pen),
            (false, false) => underline.put(stroke.tie(), "┬", stroke.pen),
            (false, true) => {}
        }
    }
    let mut hanging: Vec<&Stroke<'_>> = strokes.iter().filter(|stroke| !stroke.text.is_empty()).collect();
    if let (Some(last), Some(tied)) = (strokes.last(), hanging.last()) {
        let beside = last.end + 1 + last.text.width() <= capacity && !last.text.contains('\n');
        if beside && tied.start == last.start {
            underline.put(last.end + 1, last.text, last.pen);
            hanging.pop();
        }
    }
    let mut rows = vec![underline];
    while let Some(stroke) = hanging.pop() {
        rows.extend(hang(stroke, &hanging, capacity));
    }
    rows
}

/// The text of a mark on rows of its own, with the ties of the marks that still wait for theirs.
fn hang(stroke: &Stroke<'_>, waiting: &[&Stroke<'_>], capacity: usize) -> Vec<Row> {
    let tie = stroke.tie();
    let turns_left = stroke.turns_left(capacity);
    let lines = wrap(stroke.text, if turns_left { tie.saturating_sub(1) } else { capacity.saturating_sub(tie + 2) });
    let widest = lines.iter().map(|line| line.width()).max().unwrap_or(0);
    let (column, bend) = if turns_left { (tie.saturating_sub(widest + 1), "╯") } else { (tie + 2, "╰") };
    let mut ties = Row::default();
    for other in waiting {
        ties.put(other.tie(), "│", other.pen);
    }
    let rows = lines.iter().enumerate().map(|(at, line)| {
        let mut row = ties.clone();
        row.put(column, line, stroke.pen);
        row.put(tie, if at == 0 { bend } else { "" }, stroke.pen);
        row
    });
    rows.collect()
}

// ---- Rows: letters in columns.

/// One row of the screen; each cell is a column with its letter, and empty behind a wide letter.
#[derive(Clone, Default)]
struct Row {
    cells: Vec<(String, Style)>,
}

impl Row {
    fn put(&mut self, column: usize, text: &str, style: Style) {
        let mut at = column;
        for letter in text.chars() {
            let width = letter.width().unwrap_or(0);
            match at.checked_sub(1).and_then(|before| self.cells.get_mut(before)) {
                // It combines with the letter before it.
                Some((before, _)) if width == 0 => before.push(letter),
                _ => {
                    self.set(at, letter.to_string(), style);
                    (1..width).for_each(|more| self.set(at + more, String::new(), style));
                    at += width;
                }
            }
        }
    }

    fn set(&mut self, column: usize, text: String, style: Style) {
        if self.cells.len() <= column {
            self.cells.resize(column + 1, (" ".to_owned(), Style::new()));
        }
        if let Some(cell) = self.cells.get_mut(column) {
            *cell = (text, style);
        }
    }

    /// Puts another row behind the first `column` cells.
    fn append(&mut self, column: usize, other: &Row) {
        self.cells.resize(column, (" ".to_owned(), Style::new()));
        self.cells.extend(other.cells.iter().cloned());
    }

    fn paint(&self) -> String {
        let mut out = String::new();
        let runs = self.cells.chunk_by(|(_, style), (_, next)| style == next);
        for run in runs {
            let style = run.first().map_or(Style::new(), |&(_, style)| style);
            let text: String = run.iter().map(|(text, _)| text.as_str()).collect();
            out.push_str(&format!("{style}{text}{style:#}"));
        }
        out
    }
}

/// Breaks text at blanks into lines of at most `width` columns; longer words stay whole, indented lines as they are.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for given in text.lines() {
        if given.width() <= width || given.starts_with(' ') {
            lines.push(given.to_owned());
            continue;
        }
        let mut line = String::new();
        for word in given.split(' ') {
            if !line.is_empty() && line.width() + 1 + word.width() > width {
                lines.push(std::mem::take(&mut line));
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
