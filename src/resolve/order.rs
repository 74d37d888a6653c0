//! An order in which everything comes after what it needs.

/// An order of `0..needs.len()`, and the circles that it had to cut, each from its first member on.
pub(super) fn in_order(needs: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        Open,
        Done,
    }
    let mut state = vec![State::Unseen; needs.len()];
    let (mut order, mut circles) = (Vec::with_capacity(needs.len()), Vec::new());
    for root in 0..needs.len() {
        // Depth first without recursion: what is open, each with the next of its needs to look at.
        let mut open: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((at, next)) = open.last_mut() {
            let (at, nth) = (*at, *next);
            *next += 1;
            let Some(slot) = state.get_mut(at) else { break };
            if nth == 0 && *slot != State::Unseen {
                open.pop();
                continue;
            }
            *slot = State::Open;
            match needs.get(at).and_then(|needs| needs.get(nth)) {
                Some(&need) => match state.get(need) {
                    Some(State::Unseen) => open.push((need, 0)),
                    Some(State::Open) => {
                        let first = open.iter().position(|entry| entry.0 == need).unwrap_or(0);
                        circles.push(open.iter().skip(first).map(|entry| entry.0).collect());
                    }
                    Some(State::Done) | None => {}
                },
                None => {
                    if let Some(slot) = state.get_mut(at) {
                        *slot = State::Done;
                    }
                    order.push(at);
                    open.pop();
                }
            }
        }
    }
    (order, circles)
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn needs_come_first_and_circles_are_told() {
        assert_eq!(in_order(&[vec![2], vec![], vec![1]]), (vec![1, 2, 0], vec![]));
        let (order, circles) = in_order(&[vec![1], vec![2], vec![1]]);
        assert_eq!((order, circles), (vec![2, 1, 0], vec![vec![1, 2]]));
        assert_eq!(in_order(&[vec![0]]).1, vec![vec![0]]);
    }
}
