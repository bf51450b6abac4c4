//! A development server for the files of one folder, on localhost only.
//!
//! axum answers, and tower-http finds the files, knows their types and compresses them. `axum::serve` sets no limits on
//! connections and headers, so this file accepts connections itself:
//!
//! ```text
//! a connection   one request, then it is closed; headers and the whole request have a timeout
//! connections    a fixed number; a new one closes the oldest
//! a request      for this machine by name, so that no web page can read it through a name of its own (DNS rebinding)
//! a file         inside the folder, also behind symbolic links
//! ```

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::services::ServeDir;
use tower_http::services::fs::{Backend, DefaultServeDirFallback, TokioBackend};

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

/// Sent with every file. Scripts and styles come from files only; `wasm-unsafe-eval` allows nothing but compiling wasm. The
/// timer of a hidden page is a worker from a blob. The cross-origin headers isolate the page, which gives it more precise
/// timers. `no-cache` means that a browser asks whether its copy is current.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
];

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
    let site = site(folder);
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

/// The files of a folder, with everything that an answer needs around them.
fn site(folder: PathBuf) -> Router {
    let files = ServeDir::with_backend(&folder, Inside { folder: folder.clone() });
    Router::new()
        .fallback(file)
        .with_state(files)
        .layer(middleware::from_fn(check_host))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::map_response(add_headers))
}

async fn file(State(mut files): State<Files>, request: Request) -> Response {
    // A redirect to such a path would lead to another host.
    if request.uri().path().starts_with("//") {
        return not_found();
    }
    match files.try_call(request).await {
        Ok(answer) if answer.status() != StatusCode::NOT_FOUND => answer.into_response(),
        Err(error) if !is_no_file(&error) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response()
        }
        _ => not_found(),
    }
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "not found\n").into_response()
}

async fn add_headers(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Browsers would guess the encoding of a text.
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/")
        && !kind.contains("charset")
        && let Ok(kind) = HeaderValue::try_from(format!("{kind}; charset=utf-8"))
    {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    answer
}

/// Refuses what is not for this machine.
async fn check_host(request: Request, next: Next) -> Response {
    let host = match host(request.headers()) {
        Ok(host) => host,
        Err(reason) => return (StatusCode::BAD_REQUEST, reason).into_response(),
    };
    for authority in [Some(&host), request.uri().authority()].into_iter().flatten() {
        if !is_local(authority) {
            let reason = format!("this server is localhost, and not {authority}\n");
            return (StatusCode::MISDIRECTED_REQUEST, reason).into_response();
        }
    }
    next.run(request).await
}

/// The one host that a request names.
fn host(headers: &HeaderMap) -> Result<Authority, &'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err("a request needs exactly one Host\n");
    };
    host.to_str().ok().and_then(|host| host.parse().ok()).ok_or("not a Host\n")
}

/// Any port is fine: it may be forwarded.
fn is_local(authority: &Authority) -> bool {
    // What is around the host and its port is a user, or the rest of a name that begins like an address.
    let whole = match authority.port() {
        Some(port) => format!("{}:{port}", authority.host()),
        None => authority.host().to_owned(),
    };
    let names = ["localhost", "127.0.0.1", "[::1]"];
    whole == authority.as_str() && names.iter().any(|name| authority.host().eq_ignore_ascii_case(name))
}

/// Whether an error says that a path leads to no file: none is there, or no file can have that path.
fn is_no_file(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidInput | InvalidFilename)
}

type Files = ServeDir<DefaultServeDirFallback, Inside>;

/// The file system, without what symbolic links lead to outside of the folder.
#[derive(Clone, Debug)]
struct Inside {
    folder: PathBuf,
}

type Later<T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send>>;

impl Inside {
    fn check(&self, path: &Path) -> io::Result<PathBuf> {
        let path = path.canonicalize()?;
        if path.starts_with(&self.folder) { Ok(path) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn then<T: 'static>(&self, path: &Path, read: impl FnOnce(PathBuf) -> Later<T>) -> Later<T> {
        match self.check(path) {
            Ok(path) => read(path),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }
}

impl Backend for Inside {
    type File = <TokioBackend as Backend>::File;
    type Metadata = <TokioBackend as Backend>::Metadata;
    type OpenFuture = Later<Self::File>;
    type MetadataFuture = Later<Self::Metadata>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        self.then(&path, |path| TokioBackend.open(path))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        self.then(&path, |path| TokioBackend.metadata(path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{ErrorKind, Read, Write};
    use std::net::TcpStream;

    use super::*;

    /// A temporary folder with a site in it and a secret beside it, and a server for it.
    struct Server {
        outer: PathBuf,
        address: std::net::SocketAddr,
        stop: Option<tokio::sync::oneshot::Sender<()>>,
        thread: Option<std::thread::JoinHandle<io::Result<()>>>,
    }

    impl Server {
        fn start(name: &str, limits: Limits) -> Self {
            let outer = std::env::temp_dir().join(format!("web-builder-{}-{name}", std::process::id()));
            let folder = outer.join("site");
            fs::create_dir_all(folder.join("inner")).expect("a temporary folder");
            for (file, text) in [
                ("secret.txt", "secret"),
                ("site/index.html", "page"),
                ("site/game.wasm", "wasm"),
                ("site/game.js", "script"),
                ("site/inner/index.html", "inner page"),
            ] {
                fs::write(outer.join(file), text).expect("a file");
            }
            #[cfg(unix)]
            std::os::unix::fs::symlink("../secret.txt", folder.join("link.txt")).expect("a link");
            let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
            let address = listener.local_addr().expect("an address");
            let (stop, stopped) = tokio::sync::oneshot::channel();
            let thread = std::thread::spawn(move || serve(listener, &folder, limits, stopped));
            Self { outer, address, stop: Some(stop), thread: Some(thread) }
        }

        fn connect(&self) -> TcpStream {
            TcpStream::connect(self.address).expect("the server")
        }

        /// Sends this text, and returns the answer.
        fn send(&self, text: &str) -> String {
            let mut stream = self.connect();
            // The server may answer before it has read everything.
            let _ = stream.write_all(text.as_bytes());
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            String::from_utf8_lossy(&answer).into_owned()
        }

        fn get(&self, target: &str) -> String {
            self.send(&format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            self.stop.take();
            if let Some(thread) = self.thread.take() {
                thread.join().expect("no panic").expect("no error");
            }
            let _ = fs::remove_dir_all(&self.outer);
        }
    }

    fn status(answer: &str) -> &str {
        answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).unwrap_or_default()
    }

    #[test]
    fn a_file_comes_with_its_type_and_with_every_header() {
        let server = Server::start("types", LIMITS);
        for (target, kind, body) in [
            ("/", "text/html; charset=utf-8", "page"),
            ("/index.html?seed=3", "text/html; charset=utf-8", "page"),
            ("/game.js", "text/javascript; charset=utf-8", "script"),
            ("/game.wasm", "application/wasm", "wasm"),
            ("/inner/", "text/html; charset=utf-8", "inner page"),
        ] {
            let text = server.get(target);
            assert_eq!(status(&text), "200", "{text}");
            assert!(text.contains(&format!("content-type: {kind}\r\n")), "{text}");
            assert!(text.ends_with(&format!("\r\n\r\n{body}")), "{text}");
            for (name, value) in HEADERS {
                assert!(text.contains(&format!("{name}: {value}\r\n")), "{name} is not in {text}");
            }
        }
        assert!(server.get("/inner").contains("location: /inner/\r\n"));
    }

    #[test]
    fn a_file_is_compressed_for_those_who_can_read_that() {
        let server = Server::start("compression", LIMITS);
        let long = "a page ".repeat(1_000);
        fs::write(server.outer.join("site/long.html"), &long).expect("a file");
        let ask = |encoding: &str| {
            server.send(&format!(
                "GET /long.html HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {encoding}\r\n\r\n"
            ))
        };
        let compressed = ask("gzip, br");
        assert!(compressed.contains("content-encoding: gzip\r\n"), "{compressed}");
        assert!(compressed.contains("vary: accept-encoding\r\n"), "{compressed}");
        assert!(compressed.len() < 2_000, "{}", compressed.len());
        let plain = ask("identity");
        assert!(!plain.contains("content-encoding") && plain.ends_with(&long), "{plain}");
    }

    #[test]
    fn a_copy_that_is_current_is_not_sent_again() {
        let server = Server::start("caching", LIMITS);
        let first = server.get("/game.wasm");
        let date = first.split("last-modified: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let date = date.expect("a date");
        let again = server.send(&format!(
            "GET /game.wasm HTTP/1.1\r\nHost: localhost\r\nIf-Modified-Since: {date}\r\n\r\n"
        ));
        assert_eq!(status(&again), "304", "{again}");
    }

    #[test]
    fn nothing_outside_the_folder_is_ever_served() {
        let server = Server::start("outside", LIMITS);
        for target in [
            "/../secret.txt",
            "/..%2fsecret.txt",
            "/%2e%2e/secret.txt",
            "/%2e%2e%2fsecret.txt",
            "//../secret.txt",
            "/inner/../../secret.txt",
            "/..\\secret.txt",
            "/..%5csecret.txt",
            "/%00",
            "/link.txt",
            "/..",
            "//etc/passwd",
            "/etc/passwd",
            "http://localhost/../secret.txt",
            "/index.html%00.png",
        ] {
            let text = server.get(target);
            assert!(["404", "400"].contains(&status(&text)), "{target}: {text}");
            assert!(!text.contains("secret"), "{target}: {text}");
        }
    }

    #[test]
    fn no_redirect_leads_to_another_host() {
        let server = Server::start("redirects", LIMITS);
        fs::create_dir_all(server.outer.join("site/example.org/inner")).expect("a folder");
        for target in [
            "/example.org",
            "//example.org",
            "///example.org",
            "/.//example.org",
            "/%2fexample.org",
            "/%2f%2fexample.org",
            "/\\example.org",
            "/%5cexample.org",
            "//example.org/inner",
            "http://localhost//example.org",
            "/inner/..//example.org",
        ] {
            let text = server.get(target);
            for place in text.lines().filter_map(|line| line.strip_prefix("location: ")) {
                let mut path = place.bytes();
                assert_eq!(path.next(), Some(b'/'), "{target}: {text}");
                assert!(!matches!(path.next(), Some(b'/' | b'\\')), "{target}: {text}");
            }
        }
    }

    #[test]
    fn only_requests_for_this_machine_are_answered() {
        let server = Server::start("hosts", LIMITS);
        let ask = |target: &str, hosts: &str| server.send(&format!("GET {target} HTTP/1.1\r\n{hosts}\r\n"));
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:65535", "[::1]:8080"] {
            let text = ask("/", &format!("Host: {host}\r\n"));
            assert_eq!(status(&text), "200", "{host}: {text}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:8080",
            "[::1].example.org",
            "[::1].example.org:8080",
            "[::1]x",
            "user@localhost",
            "[::1]@example.org",
        ] {
            let text = ask("/", &format!("Host: {host}\r\n"));
            assert_eq!(status(&text), "421", "{host}: {text}");
        }
        for hosts in ["", "Host:\r\n", "Host: local host\r\n", "Host: localhost\r\nHost: localhost\r\n"] {
            let text = ask("/", hosts);
            assert_eq!(status(&text), "400", "{hosts:?}: {text}");
        }
        assert_eq!(status(&ask("http://example.org/", "Host: localhost\r\n")), "421");
    }

    #[test]
    fn only_reading_is_allowed() {
        let server = Server::start("methods", LIMITS);
        for method in ["PUT", "POST", "DELETE"] {
            let text = server.send(&format!("{method} /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            assert_eq!(status(&text), "405", "{text}");
        }
        let head = server.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(status(&head) == "200" && head.contains("content-length: 4\r\n") && !head.ends_with("page"));
    }

    #[test]
    fn garbage_is_a_bad_request_and_too_much_is_too_much() {
        let server = Server::start("garbage", LIMITS);
        for garbage in [
            "garbage\r\n\r\n",
            "GET\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "\u{0}\u{1}\u{2}\r\n\r\n",
            "<>\r\n\r\n",
        ] {
            let text = server.send(garbage);
            assert_eq!(status(&text), "400", "{garbage:?}: {text}");
        }
        let long = "x".repeat(2 * HEADER_BYTES_MAX);
        let text = server.send(&format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n"));
        assert_eq!(status(&text), "431", "{text}");
        let many = "X: y\r\n".repeat(HEADERS_MAX + 1);
        let text = server.send(&format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n"));
        assert_eq!(status(&text), "431", "{text}");
        assert_eq!(status(&server.get("/")), "200", "the server goes on");
    }

    /// Sends a byte whenever the server has said nothing for a moment, and returns what it said in the end.
    fn drip(stream: &mut TcpStream, start: &str) -> Vec<u8> {
        stream.write_all(start.as_bytes()).expect("a start");
        stream.set_read_timeout(Some(Duration::from_millis(10))).expect("a timeout");
        let mut answer = Vec::new();
        let mut buffer = [0; 1024];
        // Bounded, so that a server without a timeout fails the test.
        for _ in 0..6_000 {
            match stream.read(&mut buffer) {
                Ok(0) => return answer,
                Ok(length) => answer.extend_from_slice(&buffer[..length]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    let _ = stream.write_all(b"x");
                }
                Err(_) => return answer,
            }
        }
        panic!("the server waits for ever");
    }

    #[test]
    fn a_client_that_drips_its_headers_is_cut_off_however_often_it_sends() {
        let short = Duration::from_millis(300);
        let server = Server::start("headers", Limits { headers: short, ..LIMITS });
        let answer = drip(&mut server.connect(), "GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
        assert!(!String::from_utf8_lossy(&answer).contains("200 OK"));
        assert_eq!(status(&server.get("/")), "200");
    }

    #[test]
    fn a_request_is_cut_off_as_a_whole() {
        let short = Duration::from_millis(300);
        let server = Server::start("request", Limits { request: short, ..LIMITS });
        drip(&mut server.connect(), "GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
        assert_eq!(status(&server.get("/")), "200");
    }

    #[test]
    fn a_new_connection_closes_the_oldest_when_there_are_too_many() {
        let server = Server::start("oldest", Limits { connections: 2, ..LIMITS });
        let mut idle: Vec<TcpStream> = (0..3).map(|_| server.connect()).collect();
        let mut buffer = [0; 16];
        assert_eq!(idle[0].read(&mut buffer).expect("closed, not reset"), 0);
        assert_eq!(status(&server.get("/")), "200");
        idle.clear();
    }
}
