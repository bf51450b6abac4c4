//! A proxy between an app and its X server, which can hold back what the server says.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use test_desktops::Desk;

/// Where X servers and their clients expect the sockets.
const FOLDER: &str = "/tmp/.X11-unix";

/// Passes everything on, except while the connection opened last is held.
pub(crate) struct XProxy {
    shared: Arc<Shared>,
    socket: PathBuf,
    display: String,
}

#[derive(Default)]
struct Shared {
    connections: AtomicUsize,
    is_over: AtomicBool,
    // The number of the connection whose answers are held back.
    held: Mutex<Option<usize>>,
    changed: Condvar,
}

impl XProxy {
    pub(crate) fn start(desk: &Desk) -> Self {
        let number: u32 = desk.display().trim_start_matches(':').parse().expect("a display has a number");
        let server = PathBuf::from(FOLDER).join(format!("X{number}"));
        let display = format!(":{}", number + 500);
        let socket = PathBuf::from(FOLDER).join(format!("X{}", number + 500));
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).expect("a free display number");
        let shared = Arc::new(Shared::default());
        let its = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if its.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let server = UnixStream::connect(&server).expect("the X server listens");
                let number = its.connections.fetch_add(1, Ordering::Relaxed);
                let [to_server, to_client] = [(&client, &server), (&server, &client)].map(|(from, to)| {
                    (from.try_clone().expect("a socket"), to.try_clone().expect("a socket"))
                });
                thread::spawn(move || pass_on(to_server, || {}));
                let its = Arc::clone(&its);
                thread::spawn(move || pass_on(to_client, || its.wait_while_held(number)));
            }
        });
        Self { shared, socket, display }
    }

    pub(crate) fn display(&self) -> &str {
        &self.display
    }

    /// Holds back what the server says on the connection that was opened last.
    pub(crate) fn hold_last(&self) {
        let last = self.shared.connections.load(Ordering::Relaxed).checked_sub(1);
        *self.shared.held.lock().expect("nothing panics meanwhile") = last;
    }

    /// Passes on what was held back.
    pub(crate) fn release(&self) {
        *self.shared.held.lock().expect("nothing panics meanwhile") = None;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn wait_while_held(&self, number: usize) {
        let held = self.held.lock().expect("nothing panics meanwhile");
        drop(self.changed.wait_while(held, |held| *held == Some(number)));
    }
}

impl Drop for XProxy {
    fn drop(&mut self) {
        self.release();
        self.shared.is_over.store(true, Ordering::Relaxed);
        let _ = UnixStream::connect(&self.socket);
        let _ = fs::remove_file(&self.socket);
    }
}

fn pass_on((mut from, mut to): (UnixStream, UnixStream), before: impl Fn()) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read) = from.read(&mut buffer) {
        before();
        if read == 0 || to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}
