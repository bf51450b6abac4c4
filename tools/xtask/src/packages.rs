//! System packages: installs missing ones, or names them if there are no rights to.

use crate::run::{Result, capture, command, run};

/// What lints need: a command that checks for it, and the Debian package.
pub(crate) const FOR_LINTS: &[(&str, &str)] = &[
    ("command -v pkg-config", "pkg-config"),
    // Gamepads, on Linux.
    ("pkg-config --exists libudev", "libudev-dev"),
    // Sound, on Linux.
    ("pkg-config --exists alsa", "libasound2-dev"),
    // libFuzzer is C++.
    ("command -v c++", "g++"),
];

/// What tests in windows and browsers need.
pub(crate) const FOR_TESTS: &[(&str, &str)] = &[
    ("command -v chromium", "chromium"),
    // Playwright needs version 20.
    ("node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'", "nodejs"),
    ("command -v npm", "npm"),
    ("command -v Xvfb", "xvfb"),
    // An X server with more than one monitor.
    ("test -x /usr/lib/xorg/Xorg", "xserver-xorg-core"),
    ("test -e /usr/lib/xorg/modules/drivers/dummy_drv.so", "xserver-xorg-video-dummy"),
    ("command -v xrandr", "x11-xserver-utils"),
    // winit loads this at run time.
    ("ldconfig -p | grep -q libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("command -v openbox", "openbox"),
    ("command -v wmctrl", "wmctrl"),
    ("command -v xprop", "x11-utils"),
    ("command -v xdotool", "xdotool"),
    ("command -v import", "imagemagick"),
    ("command -v sway", "sway"),
    // A graphics card in software.
    ("ls /usr/share/vulkan/icd.d | grep -q lvp_icd", "mesa-vulkan-drivers"),
    ("command -v grim", "grim"),
];

/// Makes sure that all packages are installed.
pub(crate) fn ensure(packages: &[(&str, &str)]) -> Result<()> {
    let lacking: Vec<&str> = missing(packages).iter().map(|&(_, package)| package).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let names = lacking.join(" ");
    let Some(apt) = apt() else {
        return Err(format!(
            "the tests need system packages that are missing, and there are no rights to install them.\n\
             Install them (Debian names) and run again: apt-get install {names}"
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
        [(check, package), ..] => {
            Err(format!("{package} is installed, but too old or broken: `{check}` fails"))
        }
    }
}

fn missing<'a>(packages: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    packages.iter().copied().filter(|(check, _)| !succeeds(&["sh", "-c", check])).collect()
}

/// How to run apt-get without prompts: as root, or through sudo if that needs no password.
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
        let there = ("command -v sh", "dash");
        let not_there = ("command -v no-such-program", "a-package");
        assert_eq!(missing(&[there, not_there]), [not_there]);
    }
}
