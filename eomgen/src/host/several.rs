//! Work on several things side by side, with results that don't tell so.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than this hold more memory than they save time: what they all wait for is the engine.
const MOST: usize = 4;

/// What `work` makes of each item, in the order of the items. As many threads as there are processors, the caller's among them, take one item
/// after the other; where none can be started, the caller's does it all.
pub fn in_order<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let result = work(item);
            if let Ok(mut results) = results.lock() {
                results.push((index, result));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..processors.min(MOST).min(items.len()) {
            // One that cannot be started is missed by nobody.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::sync::Barrier;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let turned = in_order(&items, |n| {
            // The later ones are done first.
            std::thread::sleep(std::time::Duration::from_micros(100 - n));
            n * n
        });
        assert_eq!(turned, items.iter().map(|n| n * n).collect::<Vec<_>>());
        assert!(in_order(&[], |n: &u64| *n).is_empty());
    }

    #[test]
    fn two_are_at_work_where_there_are_two_processors() {
        if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
            return;
        }
        // Each waits for the other: one thread alone would never come to an end.
        let both = Barrier::new(2);
        let leaders = in_order(&[0, 1], |_| both.wait().is_leader());
        assert_eq!(leaders.iter().filter(|leads| **leads).count(), 1);
    }
}
