//! A development server for the files of one folder, on localhost only.
//!
//! A request is matched against the names of the files in the folder, so path traversal is impossible.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest request that is read, in bytes.
const REQUEST_MAX: u64 = 16 * 1024;
/// Timeout for reading and writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves requests until the process ends.
pub fn serve(listener: &TcpListener, folder: &Path) -> io::Result<()> {
    for stream in listener.incoming() {
        let (stream, folder) = (stream?, folder.to_owned());
        // Errors of one client must not stop the server.
        std::thread::spawn(move || answer(&stream, &folder));
    }
    Ok(())
}

fn answer(stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(REQUEST_MAX)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    // The headers are not used, but they have to be read.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    respond(stream, &request, folder)
}

fn respond(mut stream: &TcpStream, request: &str, folder: &Path) -> io::Result<()> {
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (status, kind, body) = match method {
        "GET" | "HEAD" => {
            match find(folder, target).and_then(|file| Some((kind(&file), fs::read(file).ok()?))) {
                Some((kind, body)) => ("200 OK", kind, body),
                None => ("404 Not Found", "text/plain; charset=utf-8", b"not found\n".to_vec()),
            }
        }
        _ => ("405 Method Not Allowed", "text/plain; charset=utf-8", b"GET or HEAD\n".to_vec()),
    };
    // The cross-origin headers isolate the page, which gives it more precise timers.
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    if method == "GET" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// Finds the file for a request's target in the folder.
fn find(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let name = if path.is_empty() { "index.html" } else { path };
    let entry =
        fs::read_dir(folder).ok()?.flatten().find(|entry| entry.file_name().to_str() == Some(name))?;
    // Neither a folder nor a symbolic link.
    entry.file_type().ok()?.is_file().then(|| entry.path())
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary folder with a page in it and a secret beside it. Removed on drop.
    struct Site(PathBuf);

    impl std::ops::Deref for Site {
        type Target = Path;

        fn deref(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Site {
        fn drop(&mut self) {
            let _ = self.parent().map(fs::remove_dir_all);
        }
    }

    fn folder(name: &str) -> Site {
        let outer = std::env::temp_dir().join(format!("web-builder-{}-{name}", std::process::id()));
        let folder = outer.join("site");
        fs::create_dir_all(folder.join("inner")).expect("a temporary folder");
        fs::write(outer.join("secret.txt"), "secret").expect("a file");
        fs::write(folder.join("index.html"), "page").expect("a file");
        fs::write(folder.join("game.wasm"), "wasm").expect("a file");
        fs::write(folder.join("inner/file.txt"), "inner").expect("a file");
        Site(folder)
    }

    fn ask(folder: &Path, request: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let folder = folder.to_owned();
        let server = std::thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a client");
            let _ = answer(&stream, &folder);
        });
        let mut stream = TcpStream::connect(address).expect("the server");
        write!(stream, "{request}\r\nHost: localhost\r\n\r\n").expect("a request");
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        server.join().expect("no panic");
        text
    }

    #[test]
    fn a_file_comes_with_its_type_and_isolated() {
        let folder = folder("types");
        for (target, kind) in
            [("/", "text/html"), ("/index.html?seed=3", "text/html"), ("/game.wasm", "application/wasm")]
        {
            let text = ask(&folder, &format!("GET {target} HTTP/1.1"));
            assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
            assert!(text.contains(&format!("Content-Type: {kind}")), "{text}");
            assert!(text.contains("Cross-Origin-Opener-Policy: same-origin\r\n"), "{text}");
            assert!(text.contains("Cross-Origin-Embedder-Policy: require-corp\r\n"), "{text}");
        }
    }

    #[test]
    fn nothing_outside_the_folder_is_ever_served() {
        let folder = folder("outside");
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("../secret.txt"), folder.join("link.txt")).expect("a link");
        for target in [
            "/../secret.txt",
            "/..%2fsecret.txt",
            "/%2e%2e/secret.txt",
            "/%2e%2e%2fsecret.txt",
            "//../secret.txt",
            "/inner/../../secret.txt",
            "/..\\secret.txt",
            "/link.txt",
            "/.",
            "/..",
            "/inner",
            "//etc/passwd",
            "/etc/passwd",
            "../secret.txt",
            "secret.txt",
            "http://localhost/../secret.txt",
            "",
            "/index.html\0.png",
        ] {
            let text = ask(&folder, &format!("GET {target} HTTP/1.1"));
            assert!(text.starts_with("HTTP/1.1 404"), "{target}: {text}");
            assert!(!text.contains("secret"), "{target}: {text}");
        }
    }

    #[test]
    fn only_reading_is_allowed_and_garbage_is_no_panic() {
        let folder = folder("methods");
        assert!(ask(&folder, "PUT /index.html HTTP/1.1").starts_with("HTTP/1.1 405"));
        assert!(!ask(&folder, "HEAD / HTTP/1.1").ends_with("page"));
        for garbage in ["", " ", "GET", "GET  ", "\u{0}\u{1}"] {
            ask(&folder, garbage);
        }
        let too_long = "x".repeat(40_000);
        assert!(too_long.len() as u64 > REQUEST_MAX);
        ask(&folder, &too_long);
    }
}
