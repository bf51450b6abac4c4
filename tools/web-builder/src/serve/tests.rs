//! The server's promises, over real connections.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

use super::answers::HEADERS;
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
    let again = server
        .send(&format!("GET /game.wasm HTTP/1.1\r\nHost: localhost\r\nIf-Modified-Since: {date}\r\n\r\n"));
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
    for garbage in
        ["garbage\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "<>\r\n\r\n"]
    {
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
