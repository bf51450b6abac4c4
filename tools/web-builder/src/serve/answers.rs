//! What the server answers: axum routes, and tower-http finds the files, knows their types and compresses them.
//!
//! ```text
//! a request      for this machine by name, so that no web page can read it through a name of its own (DNS rebinding)
//! a file         inside the folder, also behind symbolic links
//! an answer      with every header of `HEADERS`; a redirect stays on this host
//! ```

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::services::ServeDir;
use tower_http::services::fs::{Backend, DefaultServeDirFallback, TokioBackend};

/// Sent with every file. Scripts and styles come from files only; `wasm-unsafe-eval` allows nothing but compiling wasm. The
/// timer of a hidden page is a worker from a blob. The cross-origin headers isolate the page, which gives it more precise
/// timers. `no-cache` means that a browser asks whether its copy is current.
pub(super) const HEADERS: [(HeaderName, &str); 8] = [
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

/// The files of a folder, with everything that an answer needs around them.
pub(super) fn site(folder: &Path) -> Router {
    let files = ServeDir::with_backend(folder, Inside { folder: folder.to_owned() });
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
