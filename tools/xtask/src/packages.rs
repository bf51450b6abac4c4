//! System packages: installed when they are missing and we may, named when we may not.

use crate::run::{Result, capture, command, run};

/// What the tests in real windows and browsers need: how to see that it is there, and Debian's package.
pub(crate) const FOR_TESTS: &[(&str, &str)] = &[
    ("command -v chromium", "chromium"),
    // Playwright's demand.
    ("node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'", "nodejs"),
    ("command -v npm", "npm"),
    ("command -v Xvfb", "xvfb"),
    // A server with more than one monitor.
    ("test -x /usr/lib/xorg/Xorg", "xserver-xorg-core"),
    ("test -e /usr/lib/xorg/modules/drivers/dummy_drv.so", "xserver-xorg-video-dummy"),
    ("command -v xrandr", "x11-xserver-utils"),
    // What a window loads when it opens.
    ("ldconfig -p | grep -q libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("command -v openbox", "openbox"),
    ("command -v wmctrl", "wmctrl"),
    ("command -v xdotool", "xdotool"),
    ("command -v import", "imagemagick"),
    ("command -v sway", "sway"),
    ("command -v grim", "grim"),
    // libFuzzer is C++.
    ("command -v c++", "g++"),
    ("command -v pkg-config", "pkg-config"),
    // Gamepads, on Linux.
    ("pkg-config --exists libudev", "libudev-dev"),
];

/// Makes sure that all of them are there.
pub(crate) fn ensure(packages: &[(&str, &str)]) -> Result<()> {
    let lacking: Vec<&str> = missing(packages).iter().map(|&(_, package)| package).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let names = lacking.join(" ");
    let Some(apt) = apt() else {
        return Err(format!(
            "the tests need system packages that are not here, and installing them takes rights that we do not have.\n\
             Install them (Debian's names) and run again: apt-get install {names}"
        ));
    };
    println!("== installing system packages: {names}");
    let apt = |words: &[&str]| {
        let mut command = command(&[&apt, words].concat());
        command.env("DEBIAN_FRONTEND", "noninteractive");
        run(command)
    };
    apt(&["update", "--quiet"])?;
    apt(&[&["install", "--yes", "--quiet", "--no-install-recommends"], &lacking[..]].concat())?;
    match missing(packages)[..] {
        [] => Ok(()),
        [(sign, package), ..] => {
            Err(format!("{package} is installed, but too old or broken: `{sign}` fails"))
        }
    }
}

fn missing<'a>(packages: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    packages.iter().copied().filter(|(sign, _)| !succeeds(&["sh", "-c", sign])).collect()
}

/// How to call apt-get without a question asked: as root, or by sudo where it needs no password.
fn apt() -> Option<Vec<&'static str>> {
    let is_root = || capture(command(&["id", "-u"])).is_ok_and(|id| id.trim() == "0");
    if !succeeds(&["apt-get", "--version"]) {
        None
    } else if is_root() {
        Some(vec!["apt-get"])
    } else {
        let sudo = ["sudo", "--non-interactive"];
        succeeds(&[&sudo[..], &["true"]].concat()).then(|| [&sudo[..], &["apt-get"]].concat())
    }
}

fn succeeds(words: &[&str]) -> bool {
    capture(command(words)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn only_what_is_missing_is_installed() {
        let (there, not_there) = (("command -v sh", "dash"), ("command -v no-such-program", "a-package"));
        assert_eq!(missing(&[there, not_there]), [not_there]);
    }
}
