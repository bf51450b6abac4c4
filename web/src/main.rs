//! Builds the game for the browser as a static site, and serves it.
//!
//! Run: cargo xtask web [--port N] [--build-only] [--open]

#![forbid(unsafe_code)]

mod serve;
mod site;

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitCode};

const HELP: &str = "\
Usage: cargo xtask web [--port N] [--build-only] [--open]

  --port N      serve on 127.0.0.1:N instead of 8080
  --build-only  write target/web and end
  --open        open the page in the browser
";

struct Options {
    port: u16,
    build_only: bool,
    open: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match parse(&arguments).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("web: {message}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { port: 8080, build_only: false, open: false };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--build-only" => options.build_only = true,
            "--open" => options.open = true,
            "--port" => {
                let port = words.next().ok_or("--port needs a number")?;
                options.port = port.parse().map_err(|_| format!("a port is 0 to 65535, not `{port}`"))?;
            }
            _ => return Err(format!("no such option: `{word}`\n\n{HELP}")),
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    let folder = site::build()?;
    if options.build_only {
        return Ok(());
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .map_err(|error| format!("cannot listen on 127.0.0.1:{}: {error}; try --port", options.port))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("http://{address}/  (Ctrl-C ends it)");
    if options.open {
        open(&format!("http://{address}/"));
    }
    serve::serve(&listener, &folder).map_err(|error| error.to_string())
}

/// Asks the system's browser. One that cannot be started is no reason not to serve.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if let Err(error) = Command::new(opener).arg(address).spawn() {
        eprintln!("web: {opener}: {error}");
    }
}
