//! The book: the pages of `docs`, rendered with mdBook.
//!
//! `docs/SUMMARY.md` lists the pages, and the folder `book` of this package says how they look. A page has the path of its
//! file, with `.html` for `.md` and `index.html` for `README.md`. The site has nothing else of the repository, so a link to
//! any other file becomes the path of that file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use mdbook_driver::errors::Error;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The folder of the repository that the book is made of, and the folder of the site that it is written to.
const DOCS: &str = "docs";

/// Renders the book of this repository into a site.
pub fn build(site: &Path) -> Result<(), String> {
    let failed = |error: Error| format!("cannot render {DOCS}: {error:#}");
    let look = Path::new(env!("CARGO_MANIFEST_DIR")).join("book");
    let docs = site.join(DOCS);
    let mut config = Config::from_disk(look.join("book.toml")).map_err(failed)?;
    config.build.build_dir.clone_from(&docs);
    let mut book = MDBook::load_with_config(look, config).map_err(failed)?;
    book.book.for_each_chapter_mut(|chapter| {
        if let Some(path) = &chapter.source_path {
            chapter.content = name_outside_files(&chapter.content, &Path::new(DOCS).join(path));
        }
    });
    book.build().map_err(failed)?;
    // mdBook's copy of the first page, whose links are those of another folder.
    let tidy = fs::remove_file(docs.join("index.html")).and_then(|()| move_into_files(&docs));
    tidy.map_err(|error| format!("cannot write {}: {error}", docs.display()))
}

/// Replaces each link of a page that leads out of the book by its words and the path of the file.
fn name_outside_files(text: &str, page: &Path) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    // The file that the open link names, and where its words start and end.
    let mut open: Option<(PathBuf, usize, usize)> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_GFM;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                let words = range.start + "[".len();
                open = file_of(&dest_url, page)
                    .filter(|file| !file.starts_with(DOCS))
                    .map(|file| (file, words, words));
                if open.is_some() {
                    out += &text[copied..range.start];
                    copied = range.end;
                }
            }
            Event::End(TagEnd::Link) => {
                let Some((file, start, end)) = open.take() else { continue };
                let words = &text[start..end];
                let file = file.display().to_string();
                out += words;
                // Unless it is what they say.
                if !words.contains(&file) {
                    out.extend([" (`", &file, "`)"]);
                }
            }
            _ => {
                if let Some((_, _, end)) = &mut open {
                    *end = range.end.max(*end);
                }
            }
        }
    }
    out + &text[copied..]
}

/// The path of the file that a link of a page names, or nothing if it names no file.
fn file_of(address: &str, page: &Path) -> Option<PathBuf> {
    let is_elsewhere = address.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '#', '.']));
    let file = address.split('#').next().filter(|file| !file.is_empty() && !is_elsewhere)?;
    // What leads out of the repository keeps its `..`, and is not found.
    let mut normal = PathBuf::new();
    for part in page.with_file_name(file).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => _ = normal.pop(),
            part => normal.push(part),
        }
    }
    Some(normal)
}

/// Moves the scripts and styles that mdBook writes into its pages to files, and replaces its frames by links: the policy of
/// the site allows nothing else.
fn move_into_files(docs: &Path) -> io::Result<()> {
    let mut scripts = BTreeMap::new();
    for path in files_with("html", docs)? {
        let depth = path.strip_prefix(docs).map_or(0, |page| page.components().count() - 1);
        let page = without_scripts(&fs::read_to_string(&path)?, &"../".repeat(depth), &mut scripts);
        // Text has no such tags: markup in it is escaped. The classes are in page.css. The frame, of the contents, is for
        // those who have no scripts.
        let page = page
            .replace(r#" style="text-align: left">"#, r#" class="align-left">"#)
            .replace(r#" style="text-align: center">"#, r#" class="align-center">"#)
            .replace(r#" style="text-align: right">"#, r#" class="align-right">"#)
            .replace(r#"<div style="clear: both">"#, r#"<div class="clear">"#)
            .replace(r#"<iframe class="sidebar-iframe-outer" src="#, "<a href=")
            .replace("></iframe>", ">Contents</a>");
        fs::write(path, page)?;
    }
    for (script, name) in scripts {
        fs::write(docs.join(name), script)?;
    }
    let searcher = docs.join("searcher.js");
    let script = fs::read_to_string(&searcher)?;
    fs::write(
        searcher,
        script.replace(
            "tmp.setAttribute('style', 'position: absolute; opacity: 0;')",
            "tmp.className = 'unseen'",
        ),
    )
}

/// Replaces the scripts in a page by links to files, and notes the files' names by script.
fn without_scripts(page: &str, to_root: &str, scripts: &mut BTreeMap<String, String>) -> String {
    let mut parts = page.split("<script>");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (script, rest) = part.split_once("</script>").unwrap_or((part, ""));
        let next = scripts.len() + 1;
        let name = scripts.entry(script.trim().to_owned()).or_insert_with(|| format!("part-{next}.js"));
        out.extend(["<script src=\"", to_root, name, "\"></script>", rest]);
    }
    out
}

/// The files with an extension in a folder and its folders, in order.
fn files_with(extension: &str, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_with(extension, &path)?);
        } else if path.extension().is_some_and(|it| it == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    use super::*;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A folder with the book of this repository, rendered once for all tests.
    static SITE: LazyLock<PathBuf> = LazyLock::new(|| {
        let site = crate::wasm::root().expect("a repository").join("target/web-book-test");
        crate::files::empty(&site).and_then(|()| build(&site)).expect("a book");
        site
    });

    /// The rendered pages, by path.
    fn rendered() -> BTreeMap<PathBuf, String> {
        let paths = files_with("html", &SITE).expect("a book");
        paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
    }

    /// The values of an attribute.
    fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
        let start = format!(" {attribute}=\"");
        page.split(&start).skip(1).filter_map(|part| part.split('"').next()).collect()
    }

    #[test]
    fn every_page_is_in_the_summary_by_its_title() {
        let docs = crate::wasm::root().expect("a repository").join(DOCS);
        let summary = read(&docs.join("SUMMARY.md"));
        let listed: Vec<(&str, &str)> = summary
            .lines()
            .filter_map(|line| line.split_once('[')?.1.strip_suffix(')')?.split_once("]("))
            .collect();
        for (title, path) in &listed {
            let heading = format!("# {title}\n");
            assert!(
                read(&docs.join(path)).starts_with(&heading),
                "docs/{path} does not begin with {heading}"
            );
        }
        let listed: BTreeSet<PathBuf> = listed.into_iter().map(|(_, path)| docs.join(path)).collect();
        let mut there = files_with("md", &docs).expect("pages");
        there.retain(|path| !path.ends_with("SUMMARY.md"));
        assert_eq!(listed, there.into_iter().collect(), "docs/SUMMARY.md lists the pages");
    }

    #[test]
    fn every_link_of_the_book_leads_to_a_page_or_file_and_to_its_anchor() {
        let pages = rendered();
        let mut links = 0;
        for (path, page) in &pages {
            for link in values(page, "href").into_iter().chain(values(page, "src")) {
                let Some(target) = file_of(link, path) else { continue };
                // The site has them beside the book.
                if ["index.html", "lab.html"].iter().any(|other| target == SITE.join(other)) {
                    continue;
                }
                links += 1;
                assert!(target.is_file(), "{} links to {link}", path.display());
                let anchor = link.split_once('#').map(|(_, anchor)| anchor);
                if let Some((anchor, page)) = anchor.zip(pages.get(&target)) {
                    assert!(values(page, "id").contains(&anchor), "{} links to {link}", path.display());
                }
            }
        }
        assert!(links > 500, "{links}");
    }

    #[test]
    fn no_page_has_an_inline_script_or_style_or_needs_another_host() {
        for (path, page) in rendered() {
            let path = path.display();
            // Text may have such words, but not in a tag.
            for tag in page.split('<').filter_map(|part| part.split('>').next()) {
                assert!(!tag.contains(" style=\"") && !tag.starts_with("style"), "{path}: <{tag}>");
                assert!(!tag.starts_with("iframe"), "{path}: <{tag}>");
                assert!(!tag.starts_with("script") || tag.starts_with("script src="), "{path}: <{tag}>");
                let is_loaded = ["script", "link", "img"].iter().any(|name| tag.starts_with(name));
                assert!(!is_loaded || !tag.contains("//"), "{path}: <{tag}>");
                assert!(!tag.contains(" class=\"playground"), "{path} asks the playground: <{tag}>");
            }
        }
    }

    #[test]
    fn a_link_out_of_the_book_becomes_the_path_of_its_file() {
        for (text, expected) in [
            ("[a](input.md)", "[a](input.md)"),
            ("[a](../pacing.md#b) ![c](../c.png)", "[a](../pacing.md#b) ![c](../c.png)"),
            ("[a](#b), [c](https://example.org/x.md#b)", "[a](#b), [c](https://example.org/x.md#b)"),
            ("See [the *loop*](../../crates/x.rs#y).", "See the *loop* (`crates/x.rs`)."),
            ("[`crates/x.rs`](../../crates/x.rs)", "`crates/x.rs`"),
            ("| [a][b] |\n|---|\n\n[b]: ../../x.md\n", "| a (`x.md`) |\n|---|\n\n[b]: ../../x.md\n"),
            ("[a](../../x) and [b](y.md)", "a (`x`) and [b](y.md)"),
            ("`[a](../../x)`", "`[a](../../x)`"),
        ] {
            assert_eq!(name_outside_files(text, Path::new("docs/guide/page.md")), expected);
        }
    }

    #[test]
    fn a_script_becomes_a_file_and_the_same_script_the_same_file() {
        let mut scripts = BTreeMap::new();
        let page = "<script>one()</script><p><script src=\"a.js\"></script><script> two() </script>";
        let moved = "<script src=\"../part-1.js\"></script><p><script src=\"a.js\"></script>\
                     <script src=\"../part-2.js\"></script>";
        assert_eq!(without_scripts(page, "../", &mut scripts), moved);
        let other = without_scripts("<script>two()</script>", "", &mut scripts);
        assert_eq!(other, "<script src=\"part-2.js\"></script>");
        assert_eq!(scripts.keys().collect::<Vec<_>>(), ["one()", "two()"]);
    }
}
