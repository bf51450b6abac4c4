//! `cargo xtask bench`: benchmarks whose results are compared within one run.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::bevy;
use crate::npm;
use crate::packages;
use crate::run::{Result, capture, command, root, run};

/// What to do with the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    Print,
    Write,
}

/// Frames in the shorter of two counted runs. The longer has twice as many, so the difference excludes start-up.
const COUNTED_FRAMES: u64 = 20_000;

/// One row: a loop, its time and its instructions per frame, including the harness.
struct Cost {
    name: String,
    nanos: f64,
    instructions: f64,
}

pub(crate) fn core(report: Report) -> Result<()> {
    println!("building the benchmark (takes a few minutes the first time)");
    run(command(&["cargo", "build", "--release", "--manifest-path", "lab/bench/Cargo.toml"]))?;
    let program = root().join("lab/bench/target/release/evenstep-bench");
    let program = program.to_str().ok_or("the path to the benchmark is not UTF-8")?;

    println!("timing");
    publish("core", &table(&costs(program)?)?, report)
}

/// How smooth the loops are on simulated displays; mainloop.js runs in node.
pub(crate) fn smooth() -> Result<()> {
    println!("building the benchmark (takes a few minutes the first time)");
    run(command(&["cargo", "build", "--release", "--manifest-path", "lab/bench/Cargo.toml"]))?;
    run(npm::in_npm(&["npm", "install", "--no-save", "--no-audit", "--no-fund"]))?;
    let program = root().join("lab/bench/target/release/evenstep-bench");
    let program = program.to_str().ok_or("the path to the benchmark is not UTF-8")?;
    run(command(&[program, "--smooth"]))?;

    let spawn = |mut command: Command, input: Stdio| {
        let spawned = command.stdin(input).stdout(Stdio::piped()).spawn();
        spawned.map_err(|error| format!("{command:?} could not be started: {error}"))
    };
    let mut timestamps = spawn(command(&[program, "--timestamps"]), Stdio::null())?;
    let output = timestamps.stdout.take().ok_or("no timestamps")?;
    let mut mainloop = spawn(npm::in_npm(&["node", "bench/smooth.mjs"]), output.into())?;
    let mut judge = command(&[program, "--judge", "mainloop.js 1.0.4"]);
    judge.stdin(mainloop.stdout.take().ok_or("no decisions")?);
    let judged = run(judge);
    for mut child in [timestamps, mainloop] {
        child.wait().map_err(|error| error.to_string())?;
    }
    judged
}

/// The npm package: a frame, its size, and servers. The tables are written into one place.
pub(crate) fn npm(report: Report) -> Result<()> {
    npm::build()?;
    let lines = |words: &[&str]| -> Result<Vec<Vec<String>>> {
        let mut node = npm::in_npm(words);
        // Progress goes to the terminal.
        node.stderr(std::process::Stdio::inherit());
        let output = capture(node)?;
        Ok(output.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
    };
    println!("timing frames");
    let mut frames = with_ratios(lines(&["node", "bench/frame.mjs", "evenstep-full.wasm"])?)?;
    let small = with_ratios(lines(&["node", "bench/frame.mjs", "evenstep.wasm"])?)?;
    for (row, small) in frames.iter_mut().zip(small) {
        row.extend(small.into_iter().skip(1));
    }
    println!("measuring downloads");
    let sizes = lines(&["node", "bench/size.mjs"])?;
    println!("timing servers (takes three minutes)");
    let servers = lines(&["node", "bench/server.mjs"])?;
    let tables = [
        markdown(&["loop", "ns per frame", "x mainloop.js", "ns, small module", "x mainloop.js"], frames),
        markdown(
            &["imported, bytes after gzip -9", "JavaScript", "wasm", "sum", "with the full module"],
            sizes,
        ),
        markdown(
            &[
                "200 loops at 60 Hz for 60 s",
                "drift, ms",
                "late p50, ms",
                "late p99, ms",
                "interval error p99, ms",
                "CPU %",
            ],
            servers,
        ),
    ];
    publish("npm", &tables.join("\n"), report)
}

/// Appends to each row the ratio of its time to that of the first.
fn with_ratios(rows: Vec<Vec<String>>) -> Result<Vec<Vec<String>>> {
    let nanos = |row: &Vec<String>| -> Result<f64> {
        row.get(1).and_then(|nanos| nanos.parse().ok()).ok_or_else(|| format!("no time in {row:?}"))
    };
    let theirs = nanos(rows.first().ok_or("the benchmark printed nothing")?)?;
    let with_ratio = |mut row: Vec<String>| {
        row.push(format!("{:.2}", nanos(&row)? / theirs));
        Ok(row)
    };
    rows.into_iter().map(with_ratio).collect()
}

fn markdown(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = format!("| {} |\n|---|{}\n", head.join(" | "), "--:|".repeat(head.len() - 1));
    for row in rows {
        let _ = writeln!(table, "| {} |", row.join(" | "));
    }
    table
}

/// Prints the tables, and writes them if asked to.
fn publish(bench: &str, tables: &str, report: Report) -> Result<()> {
    println!("\n{tables}");
    if report == Report::Write { write(bench, tables) } else { Ok(()) }
}

/// Measures the display's beat, and the late start.
pub(crate) fn beats(minutes: &str) -> Result<()> {
    packages::ensure(packages::FOR_TESTS)?;
    let bench = ["cargo", "bench", "--package", "evenstep-host", "--features", "native", "--bench", "beats"];
    run(command(&[&bench[..], &["--", "--minutes", minutes]].concat()))
}

/// Measures frames with the Bevy plugin and with Bevy alone, in turn: each pair of lines is one frame rate.
pub(crate) fn bevy() -> Result<()> {
    println!("building the benchmark (takes a few minutes the first time)");
    let manifest = bevy::MANIFEST;
    run(command(&["cargo", "build", "--release", "--manifest-path", manifest, "--example", "cost"]))?;
    let program = root().join("adapters/bevy_evenstep/target/release/examples/cost");
    let program = program.to_str().ok_or("the path to the benchmark is not UTF-8")?;
    println!("timing");
    let costs = costs(program)?;
    println!("\n| frame | ns | more | instructions | more |\n|---|--:|--:|--:|--:|");
    for pair in costs.chunks(2) {
        for cost in pair {
            let (nanos, instructions) =
                (cost.nanos - pair[0].nanos, cost.instructions - pair[0].instructions);
            println!(
                "| {} | {:.0} | {nanos:+.0} | {:.0} | {instructions:+.0} |",
                cost.name, cost.nanos, cost.instructions
            );
        }
    }
    Ok(())
}

/// Runs the game's own benchmark.
pub(crate) fn starship() -> Result<()> {
    run(command(&["cargo", "run", "--release", "--package", "starship-sim", "--example", "bench"]))
}

/// Measures recordings of the game: everything in one run, beside its own tick.
pub(crate) fn replay() -> Result<()> {
    run(command(&["cargo", "run", "--release", "--package", "starship-sim", "--example", "replay_cost"]))
}

/// Runs the soak test: nothing may panic, and memory use must not grow.
pub(crate) fn soak(hours: &str) -> Result<()> {
    run(command(&["cargo", "run", "--release", "--package", "starship-sim", "--example", "soak", hours]))
}

/// Times all cases of a benchmark and counts their instructions.
fn costs(program: &str) -> Result<Vec<Cost>> {
    let mut costs = Vec::new();
    for (n, line) in capture(command(&[program]))?.lines().enumerate() {
        let (name, nanos) = line.split_once('\t').ok_or_else(|| format!("unexpected line: {line}"))?;
        println!("counting instructions: {name}");
        costs.push(Cost {
            name: name.to_owned(),
            nanos: nanos.parse().map_err(|_| format!("not a number: {nanos}"))?,
            instructions: instructions(program, n)?,
        });
    }
    Ok(costs)
}

fn instructions(program: &str, index: usize) -> Result<f64> {
    let count = |frames: u64| -> Result<f64> {
        let index = index.to_string();
        let frames = frames.to_string();
        let report = capture(command(&[
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            program,
            "--only",
            &index,
            "--frames",
            &frames,
        ]))
        .map_err(|error| {
            format!("{error}\nvalgrind counts the instructions: install it with your package manager")
        })?;
        let total = report.split("Collected : ").nth(1).and_then(|rest| rest.split_whitespace().next());
        total.and_then(|total| total.parse().ok()).ok_or_else(|| format!("no count in:\n{report}"))
    };
    Ok((count(2 * COUNTED_FRAMES)? - count(COUNTED_FRAMES)?) / COUNTED_FRAMES as f64)
}

/// Formats the table, without the cost of the harness, with ratios to the recommended loop without the display lock.
fn table(costs: &[Cost]) -> Result<String> {
    let [harness, loops @ ..] = costs else { return Err("the benchmark printed nothing".into()) };
    let ours = loops.last().ok_or("the benchmark printed no loop")?;
    let mut table =
        String::from("| loop | ns per frame | x | instructions per frame | x |\n|---|---|---|---|---|\n");
    for cost in loops {
        let nanos = cost.nanos - harness.nanos;
        let instructions = cost.instructions - harness.instructions;
        writeln!(
            table,
            "| {} | {nanos:.1} | {:.2} | {instructions:.0} | {:.2} |",
            cost.name,
            nanos / (ours.nanos - harness.nanos),
            instructions / (ours.instructions - harness.instructions),
        )
        .map_err(|error| error.to_string())?;
    }
    Ok(table)
}

/// Replaces a benchmark's tables and their date in docs/benchmarks.md.
fn write(bench: &str, table: &str) -> Result<()> {
    const END: &str = "<!-- end of table -->";
    let path: PathBuf = root().join("docs/benchmarks.md");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let begin = format!("<!-- table: cargo xtask bench {bench} --write -->\n");
    let date = capture(command(&["date", "-u", "+%Y-%m-%d"]))?;
    let (before, rest) = text.split_once(&begin).ok_or("docs/benchmarks.md has no mark for the table")?;
    let (_, after) = rest.split_once(END).ok_or("docs/benchmarks.md has no mark for the end of the table")?;
    let text = format!("{before}{begin}\nMeasured on {}.\n\n{table}\n{END}{after}", date.trim());
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
