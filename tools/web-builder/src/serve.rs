//! A development server for the files of one folder, on localhost only.
//!
//! [`answers`] says what is answered. `axum::serve` sets no limits on connections and headers, so this file accepts
//! connections itself:
//!
//! ```text
//! a connection   one request, then it is closed; headers and the whole request have a timeout
//! connections    a fixed number; a new one closes the oldest
//! ```

mod answers;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::path::Path;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What a client may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Open connections. Each takes at most two descriptors: its own, and that of a file.
    pub connections: usize,
    /// How long a client may take to send its headers.
    pub headers: Duration,
    /// How long a request may take in all.
    pub request: Duration,
}

pub const LIMITS: Limits =
    Limits { connections: 64, headers: Duration::from_secs(10), request: Duration::from_mins(1) };

/// The most bytes of headers, and the most of them.
const HEADER_BYTES_MAX: usize = 16 * 1024;
const HEADERS_MAX: usize = 64;
/// How long to wait after a failure to accept, which is usually a lack of descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);
/// How long running answers have when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);

/// Serves the files of a folder until `stop` is done.
pub fn serve(
    listener: std::net::TcpListener,
    folder: &Path,
    limits: Limits,
    stop: impl Future,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    // A symbolic link in the path to the folder is fine.
    let folder = folder.canonicalize()?;
    let site = answers::site(&folder);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        accept(TcpListener::from_std(listener)?, site, limits, stop).await;
        Ok(())
    })
}

async fn accept(listener: TcpListener, site: Router, limits: Limits, stop: impl Future) {
    let farewell = GracefulShutdown::new();
    let mut open: VecDeque<JoinHandle<()>> = VecDeque::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stop => break,
        };
        open.retain(|connection| !connection.is_finished());
        if let Ok((stream, _)) = accepted {
            if open.len() >= limits.connections {
                close_oldest(&mut open).await;
            }
            open.push_back(tokio::spawn(answer(stream, site.clone(), limits, &farewell)));
        } else {
            close_oldest(&mut open).await;
            tokio::time::sleep(ACCEPT_AGAIN).await;
        }
    }
    drop(listener);
    // What is not done by then ends with the runtime.
    let _ = tokio::time::timeout(FAREWELL, farewell.shutdown()).await;
}

/// Closes the connection that has taken longest, and waits until its descriptors are free.
async fn close_oldest(open: &mut VecDeque<JoinHandle<()>>) {
    if let Some(oldest) = open.pop_front() {
        oldest.abort();
        let _ = oldest.await;
    }
}

/// Answers one request and closes the connection. Errors of a client concern nobody else.
fn answer(
    stream: TcpStream,
    site: Router,
    limits: Limits,
    farewell: &GracefulShutdown,
) -> impl Future<Output = ()> + use<> {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers)
        .max_header_size(HEADER_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(site));
    let connection = tokio::time::timeout(limits.request, farewell.watch(connection));
    async move {
        let _ = connection.await;
    }
}
