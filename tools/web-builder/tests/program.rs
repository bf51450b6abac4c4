//! The server as a program: under a limit on descriptors, and when it is told to stop.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};

/// A server with its folder. Removed on drop.
struct Server {
    program: Child,
    folder: PathBuf,
    address: String,
    output: BufReader<std::process::ChildStdout>,
}

impl Server {
    /// Starts the program with at most this many descriptors.
    fn start(name: &str, descriptors: u32) -> Self {
        let folder = std::env::temp_dir().join(format!("web-program-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("index.html"), "page").expect("a file");
        let mut program = Command::new("sh")
            .args(["-c", &format!("ulimit -n {descriptors} && exec \"$0\" --serve \"$1\" --port 0")])
            .args([env!("CARGO_BIN_EXE_web-builder"), folder.to_str().expect("a path")])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut output = BufReader::new(program.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let address = line.split(['/', ' ']).nth(2).expect("an address").to_owned();
        Self { program, folder, address, output }
    }

    fn get(&self) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a timeout");
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    fn interrupt(&mut self) -> (ExitStatus, String) {
        let pid = Pid::from_child(&self.program);
        kill_process(pid, Signal::INT).expect("a running server");
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        (self.program.wait().expect("an end"), rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Lets this process open enough connections.
fn raise_limit(descriptors: u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < descriptors) {
        let limit = Rlimit { current: Some(descriptors), maximum };
        setrlimit(Resource::Nofile, limit)
            .expect("the hard limit on descriptors must allow 1,200 (ulimit -Hn)");
    }
}

#[test]
fn a_flood_of_connections_beyond_the_descriptors_does_not_end_the_server() {
    raise_limit(1_200);
    let server = Server::start("flood", 200);
    let flood: Vec<TcpStream> =
        (0..1_100).map(|_| TcpStream::connect(&server.address).expect("the server")).collect();
    // It serves while they are open, and after they are closed.
    assert!(server.get().ends_with("page"));
    drop(flood);
    assert!(server.get().ends_with("page"));
}

#[test]
fn a_lack_of_descriptors_does_not_end_the_server() {
    // Fewer than it would use.
    let server = Server::start("lack", 24);
    let flood: Vec<TcpStream> =
        (0..100).map(|_| TcpStream::connect(&server.address).expect("the server")).collect();
    drop(flood);
    assert!(server.get().ends_with("page"));
}

#[test]
fn ctrl_c_ends_the_server_well_also_while_clients_are_connected() {
    let mut server = Server::start("ctrl-c", 200);
    let _idle = TcpStream::connect(&server.address).expect("the server");
    assert!(server.get().ends_with("page"));
    let (status, rest) = server.interrupt();
    assert!(status.success(), "{status}");
    assert_eq!(rest, "stopped\n");
}

#[test]
fn a_port_that_is_used_is_named_with_what_to_do_about_it() {
    let server = Server::start("port", 200);
    let port = server.address.rsplit(':').next().expect("a port");
    let output = Command::new(env!("CARGO_BIN_EXE_web-builder"))
        .args(["--serve", server.folder.to_str().expect("a path"), "--port", port])
        .output()
        .expect("the program");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{message}");
    assert!(message.starts_with(&format!("web: cannot listen on 127.0.0.1:{port}: ")), "{message}");
    assert!(message.ends_with("; try --port\n"), "{message}");
}
