//! The only way to the algebra engine: one caller at a time, on a thread of its own.
//!
//! Unlicensed, the engine gives one thread per user a permit that ends with that thread, and aborts the whole
//! process when a second thread or process asks meanwhile. We keep to that limit: a session
//! waits for its turn on the user-wide [lock file](super::lock), first come, first served, runs its closure on a fresh thread, joins
//! it, and only then lets the next one in. With a licence key in the environment other processes
//! need not be waited for; a process-wide gate remains, since the order in which symbols are created must not depend on a race.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use super::banner;
use super::lock::{self, LockError, Patience};
use super::permit;
use super::queue::Turn;

/// Holds the engine's licence key, if the user has one.
pub const LICENCE_VARIABLE: &str = "SYMBOLICA_LICENSE";

/// Stack of the session's thread, tried in this order: only reserved, not used, so generous where
/// address space is free. Deeply nested expressions recurse deeply.
const STACK_SIZES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Why a session did not yield a result.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The permit could not be had.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The closure panicked; the message, with its place in the source, is here and nowhere else.
    #[error("internal error: {0}; please report this with the model text")]
    Panicked(String),
    /// The thread could not be started.
    #[error("cannot start the derivation's thread: {0}")]
    Thread(std::io::Error),
    /// Called from within a session, which would wait for itself.
    #[error("internal error: a session was requested from within a session")]
    Nested,
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static QUIET: Cell<bool> = const { Cell::new(false) };
    /// On the thread of a derivation: whether it has said that it waits.
    static TOLD: Cell<Option<bool>> = const { Cell::new(None) };
    static PANIC_PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`, which may use the algebra engine, and returns what it returns.
///
/// A derivation comes here as often as it needs the engine, and does everything else outside. Waits while another session of this user runs (in this or any other process), says so on
/// standard error after five seconds (once in a derivation, however often it comes), and gives up after `EOMGEN_LOCK_TIMEOUT` seconds (600).
/// A panic in `work` becomes `SessionError::Panicked`.
pub fn with_session<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, SessionError> {
    if INSIDE.get() {
        return Err(SessionError::Nested);
    }
    let mut patience = Patience::from_env()?;
    if TOLD.get() == Some(true) {
        patience.hush();
    }
    let path = lock::path_from_env()?;
    // The gate first: only one thread of a process stands in the queue.
    let _turn = Gate::enter(&path, &mut patience)?;
    let _lock = if licensed() {
        None
    } else {
        let turn = Turn::take(&path, &mut patience)?;
        permit::wait(&mut patience)?;
        Some(turn)
    };
    TOLD.set(TOLD.get().map(|_| patience.has_announced()));
    banner::hide();
    on_own_thread("eomgen session", || {
        INSIDE.set(true);
        work()
    })
}

/// Runs `work` on a thread with the stack of a session, without the engine: for what recurses deeply and needs nobody to wait.
/// A panic in `work` becomes [`SessionError::Panicked`].
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, SessionError> {
    on_own_thread("eomgen derivation", || {
        TOLD.set(Some(false));
        work()
    })
}

/// Whether there is a licence key; only the engine can tell whether it is one.
pub fn licensed() -> bool {
    std::env::var_os(LICENCE_VARIABLE).is_some_and(|key| !key.is_empty())
}

/// The process-wide gate: those who wait, the one inside first.
struct Gate(u64);

static GATE: Mutex<(u64, VecDeque<u64>)> = Mutex::new((0, VecDeque::new()));
static MOVED: Condvar = Condvar::new();

fn gate() -> MutexGuard<'static, (u64, VecDeque<u64>)> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gate {
    fn enter(path: &Path, patience: &mut Patience) -> Result<Self, LockError> {
        let mut line = gate();
        line.0 += 1;
        // Dropped, and so out of the line, when patience ends.
        let place = Self(line.0);
        line.1.push_back(place.0);
        while line.1.front() != Some(&place.0) {
            patience.announce(path);
            let Some(left) = patience.left() else {
                drop(line);
                return Err(patience.timed_out(path));
            };
            (line, _) = MOVED
                .wait_timeout(line, left.min(patience.silence()))
                .unwrap_or_else(PoisonError::into_inner);
        }
        Ok(place)
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        gate().1.retain(|place| *place != self.0);
        MOVED.notify_all();
    }
}

fn on_own_thread<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Result<T, SessionError> {
    keep_panics_quiet();
    // The closure travels in a shared slot because a failed start would otherwise consume it.
    let slot = Mutex::new(Some(work));
    let body = || {
        QUIET.set(true);
        let work = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| work.map(|work| work())));
        outcome.map_err(|payload| describe(payload.as_ref()))
    };
    let mut refused = None;
    for size in STACK_SIZES {
        let found = thread::scope(|scope| {
            let thread = thread::Builder::new().name(name.to_string());
            let handle = thread.stack_size(size).spawn_scoped(scope, body)?;
            Ok(handle.join())
        });
        match found {
            Err(error) => refused = Some(error),
            Ok(Ok(Ok(Some(value)))) => return Ok(value),
            Ok(Ok(Ok(None))) => return Err(SessionError::Panicked("no work to do".to_string())),
            Ok(Ok(Err(message))) => return Err(SessionError::Panicked(message)),
            Ok(Err(payload)) => return Err(SessionError::Panicked(describe(payload.as_ref()))),
        }
    }
    Err(SessionError::Thread(refused.unwrap_or_else(|| {
        std::io::Error::other("no stack size to try")
    })))
}

/// A panic's message and place.
fn describe(payload: &(dyn Any + Send)) -> String {
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_string());
    match PANIC_PLACE.take() {
        Some(place) => format!("{message} (at {place})"),
        None => message,
    }
}

/// Threads of this module note where they panicked instead of printing; all others keep the hook they had.
fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // try_with: a panic may come after the thread's locals are gone.
            if QUIET.try_with(Cell::get).unwrap_or(false) {
                let place = info.location().map(ToString::to_string);
                PANIC_PLACE.set(place);
            } else {
                previous(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn returns_what_the_work_returns_from_another_thread() {
        let here = thread::current().id();
        let there = with_session(|| thread::current().id()).unwrap();
        assert_ne!(here, there);
    }

    #[test]
    fn a_panic_is_an_error_with_its_message_and_place_and_the_next_session_runs() {
        let error = with_session(|| -> u32 { panic!("pivot {} lost", 3) }).unwrap_err();
        let SessionError::Panicked(message) = error else {
            panic!("{error:?}");
        };
        assert!(message.starts_with("pivot 3 lost (at "), "{message}");
        assert!(message.contains("session.rs"), "{message}");
        assert_eq!(with_session(|| 7).unwrap(), 7);
    }

    #[test]
    fn outside_of_a_session_sessions_may_be_had_one_after_another() {
        let numbers = [1, 2, 3];
        let sum = with_stack(|| {
            let each = numbers.iter().map(|n| with_session(|| n * n));
            each.sum::<Result<i32, _>>()
        });
        assert_eq!(sum.unwrap().unwrap(), 14);
        let error = with_stack(|| -> u32 { panic!("no pivot") }).unwrap_err();
        assert!(error.to_string().contains("no pivot (at "), "{error}");
    }

    #[test]
    fn a_session_in_a_session_is_refused_instead_of_waiting_for_itself() {
        let inner = with_session(|| with_session(|| ())).unwrap();
        assert!(matches!(inner, Err(SessionError::Nested)), "{inner:?}");
    }

    #[test]
    fn sessions_never_overlap() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        let callers: Vec<_> = (0..4)
            .map(|_| {
                thread::spawn(|| {
                    for _ in 0..5 {
                        let seen = with_session(|| {
                            let seen = RUNNING.fetch_add(1, Ordering::SeqCst);
                            thread::sleep(Duration::from_millis(2));
                            RUNNING.fetch_sub(1, Ordering::SeqCst);
                            seen
                        });
                        assert_eq!(seen.unwrap(), 0);
                    }
                })
            })
            .collect();
        for caller in callers {
            caller.join().unwrap();
        }
    }

    #[test]
    fn the_stack_is_deep() {
        fn depth(n: u32) -> u32 {
            let frame = std::hint::black_box([n; 256]);
            match n {
                0 => frame[0],
                _ => 1 + depth(frame[1] - 1),
            }
        }
        // 50 000 frames of at least 1 KiB: far beyond a default 2 MiB stack.
        assert_eq!(with_session(|| depth(50_000)).unwrap(), 50_000);
    }
}
