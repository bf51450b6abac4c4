//! Builds the web pages as a static site, and serves it.
//!
//! Run: cargo xtask web --help

#![forbid(unsafe_code)]

mod book;
mod files;
mod game;
mod npm;
mod serve;
mod site;
mod wasm;

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use site::Site;

const HELP: &str = "\
Usage: cargo xtask web [--port N] [--build-only | --serve FOLDER | --npm] [--game FOLDER | --book | --probe] [--open]

  --port N        serve on 127.0.0.1:N instead of 8080; 0 chooses a free port
  --build-only    build target/web and exit
  --serve FOLDER  build nothing; serve the files in this folder
  --npm           build the wasm modules of the npm package instead, into npm/dist, and exit
  --game FOLDER   build the game in this folder instead, into its target/web/site
  --book          build the guide and the reference pages alone, into target/web-book
  --probe         build the test page of the web host instead, into target/web-probe
  --open          open the page in the browser
";

struct Options {
    port: u16,
    site: &'static Site,
    game: Option<PathBuf>,
    work: Work,
    open: bool,
}

#[derive(PartialEq)]
enum Work {
    BuildAndServe,
    Build,
    BuildNpm,
    Serve(PathBuf),
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
    let mut options =
        Options { port: 8080, site: &site::PAGES, game: None, work: Work::BuildAndServe, open: false };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = |what| words.next().ok_or_else(|| format!("{word} needs {what}"));
        let work = match word.as_str() {
            "--build-only" => Work::Build,
            "--npm" => Work::BuildNpm,
            "--serve" => Work::Serve(value("a folder")?.into()),
            "--book" => {
                options.site = &site::BOOK;
                continue;
            }
            "--probe" => {
                options.site = &site::HOST_PAGE;
                continue;
            }
            "--game" => {
                options.game = Some(value("the folder of a package")?.into());
                continue;
            }
            "--open" => {
                options.open = true;
                continue;
            }
            "--port" => {
                let port = value("a number")?;
                options.port = port.parse().map_err(|_| format!("a port is 0 to 65535, not `{port}`"))?;
                continue;
            }
            _ => return Err(format!("no such option: `{word}`\n\n{HELP}")),
        };
        if options.work != Work::BuildAndServe {
            return Err("--build-only, --serve and --npm cannot be used together".into());
        }
        options.work = work;
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    let folder = match &options.work {
        Work::Serve(folder) if !folder.is_dir() => {
            return Err(format!("--serve {}: there is no such folder", folder.display()));
        }
        Work::Serve(folder) => folder.clone(),
        Work::Build | Work::BuildAndServe => match &options.game {
            Some(folder) => game::build(folder)?,
            None => options.site.build()?,
        },
        Work::BuildNpm => npm::build()?,
    };
    if matches!(options.work, Work::Build | Work::BuildNpm) {
        return Ok(());
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .map_err(|error| format!("cannot listen on 127.0.0.1:{}: {error}; try --port", options.port))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("http://{address}/  (press Ctrl-C to stop)");
    if options.open {
        open(&format!("http://{address}/"));
    }
    serve::serve(listener, &folder, serve::LIMITS, tokio::signal::ctrl_c())
        .map_err(|error| format!("cannot serve {}: {error}", folder.display()))?;
    println!("stopped");
    Ok(())
}

/// Opens the system's browser. If that fails, the pages are served anyway.
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
