//! The guide: Markdown files of the repository, rendered as pages of the site.
//!
//! A page has the path of its file, with `.html` for `.md` and `index.html` for `README.md`, so relative links work as they
//! do in the repository. Pages of `docs` that the guide links to are rendered as well. The site has nothing else of the
//! repository, so a link to any other file becomes the file's path.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The folder whose pages and images the site takes in.
const DOCS: &str = "docs";

/// Rendered pages.
#[derive(Debug)]
pub struct Guide {
    root: PathBuf,
    /// By the path of the file.
    pages: BTreeMap<PathBuf, Page>,
    /// The guide's own pages, in reading order; the others are what they link to.
    order: Vec<PathBuf>,
}

#[derive(Debug, Default)]
struct Page {
    title: String,
    html: String,
    anchors: BTreeSet<String>,
    links: Vec<Link>,
}

/// A link to a file of the repository.
#[derive(Debug)]
struct Link {
    /// As written.
    text: String,
    path: PathBuf,
    anchor: Option<String>,
}

impl Guide {
    /// Renders the Markdown files of a folder of the repository, and what they link to in `docs`.
    pub fn read(root: &Path, folder: &str) -> Result<Self, String> {
        let failed = |path: &Path, error| format!("cannot read {}: {error}", path.display());
        let entries = fs::read_dir(root.join(folder)).map_err(|error| failed(Path::new(folder), error))?;
        let mut own: Vec<PathBuf> = entries
            .filter_map(|entry| Some(Path::new(folder).join(entry.ok()?.file_name())))
            .filter(|path| is_markdown(path))
            .collect();
        own.sort();
        let mut waiting: VecDeque<PathBuf> = own.iter().cloned().collect();
        let mut pages = BTreeMap::new();
        while let Some(path) = waiting.pop_front() {
            if pages.contains_key(&path) {
                continue;
            }
            let text = fs::read_to_string(root.join(&path)).map_err(|error| failed(&path, error))?;
            let page = Page::render(&text, &path);
            let targets = page.links.iter().map(|link| link.path.clone());
            waiting.extend(targets.filter(|target| is_page(target) && root.join(target).is_file()));
            pages.insert(path, page);
        }
        // The index names the others in the order in which to read them.
        let index = Path::new(folder).join("README.md");
        let named = pages.get(&index).into_iter().flat_map(|page| &page.links).map(|link| link.path.clone());
        let mut order: Vec<PathBuf> = Vec::new();
        for path in std::iter::once(index.clone()).chain(named).chain(own.iter().cloned()) {
            if own.contains(&path) && !order.contains(&path) {
                order.push(path);
            }
        }
        Ok(Self { root: root.to_owned(), pages, order })
    }

    /// Returns a sentence for each link that leads nowhere.
    pub fn dead_links(&self) -> Vec<String> {
        let mut dead = Vec::new();
        for (path, page) in &self.pages {
            for link in &page.links {
                let is_anchor_there = || match (&link.anchor, self.pages.get(&link.path)) {
                    (Some(anchor), Some(page)) => page.anchors.contains(anchor),
                    _ => true,
                };
                if !self.root.join(&link.path).exists() || !is_anchor_there() {
                    dead.push(format!("{} links to {}, which is not there", path.display(), link.text));
                }
            }
        }
        dead
    }

    /// Writes the pages and their images to the site.
    pub fn write(&self, site: &Path) -> Result<(), String> {
        for (path, page) in &self.pages {
            write(&site.join(html_path(path)), self.document(path, page).as_bytes())?;
            for link in page.links.iter().filter(|link| is_image(&link.path)) {
                if let Ok(image) = fs::read(self.root.join(&link.path)) {
                    write(&site.join(&link.path), &image)?;
                }
            }
        }
        Ok(())
    }

    /// The whole page: navigation, the text, and the way to the next page.
    fn document(&self, path: &Path, page: &Page) -> String {
        let up = "../".repeat(path.components().count() - 1);
        let from = path.parent().unwrap_or(Path::new(""));
        let link = |to: &Path, rel: &str| {
            let (href, title) = (relative(from, &html_path(to)), escape(&self.pages[to].title));
            let current = if to == path { " aria-current=\"page\"" } else { "" };
            format!("<a href=\"{href}\"{rel}{current}>{title}</a>")
        };
        let contents: Vec<String> =
            self.order.iter().map(|to| format!("<li>{}</li>\n", link(to, ""))).collect();
        let place = self.order.iter().position(|own| own == path);
        let beside = |step: isize| place.and_then(|place| self.order.get(place.checked_add_signed(step)?));
        let before = beside(-1).map(|to| format!("<span>Before: {}</span>\n", link(to, " rel=\"prev\"")));
        let next = beside(1).map(|to| format!("<span>Next: {}</span>\n", link(to, " rel=\"next\"")));
        let guide = self.order.first().map_or_else(|| "./".into(), |index| relative(from, &html_path(index)));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title} - Evenstep</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <link rel=\"stylesheet\" href=\"{up}guide.css\">\n\n\
             <header>\n<a class=\"skip\" href=\"#text\">Skip to the text</a>\n\
             <nav aria-label=\"Site\"><a href=\"{up}index.html\">Game</a> <a href=\"{up}lab.html\">Pacing lab</a> \
             <a href=\"{guide}\">Guide</a></nav>\n</header>\n<div id=\"columns\">\n\
             <nav id=\"contents\" aria-label=\"Guide\">\n<ol>\n{contents}</ol>\n</nav>\n\
             <main id=\"text\" tabindex=\"-1\">\n{text}</main>\n</div>\n\
             <nav id=\"ends\" aria-label=\"Pages beside this one\">\n{before}{next}</nav>\n",
            contents = contents.concat(),
            before = before.unwrap_or_default(),
            next = next.unwrap_or_default(),
            title = escape(&page.title),
            text = page.html,
        )
    }
}

impl Page {
    fn render(text: &str, path: &Path) -> Self {
        let mut page = Self::default();
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM;
        let events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
        let mut out = Vec::with_capacity(events.len());
        // What ends each open link.
        let mut ends: Vec<Vec<Event<'_>>> = Vec::new();
        for (at, event) in events.iter().enumerate() {
            match event {
                Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                    let words = words(&events[at..]);
                    let anchor = page.anchor(&words);
                    if *level == HeadingLevel::H1 && page.title.is_empty() {
                        page.title = words;
                    }
                    let (classes, attrs) = (classes.clone(), attrs.clone());
                    let id = Some(CowStr::from(anchor));
                    out.push(Event::Start(Tag::Heading { level: *level, id, classes, attrs }));
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    match page.link(dest_url, path) {
                        Ok(address) => {
                            let (link_type, title, id) = (*link_type, title.clone(), id.clone());
                            let dest_url = address.into();
                            out.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                            ends.push(vec![Event::End(TagEnd::Link)]);
                        }
                        // The path stands behind the words, unless it is what they say.
                        Err(file) if words(&events[at..]).contains(&file) => ends.push(vec![]),
                        Err(file) => {
                            ends.push(vec![
                                Event::Text(" (".into()),
                                Event::Code(file.into()),
                                Event::Text(")".into()),
                            ]);
                        }
                    }
                }
                Event::End(TagEnd::Link) => out.extend(ends.pop().unwrap_or_default()),
                Event::Start(Tag::Image { dest_url, .. }) => {
                    // Noted, so that it is checked and copied.
                    let _ = page.link(dest_url, path);
                    out.push(event.clone());
                }
                // What may be wider than a phone scrolls by itself, also by keyboard.
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(info) => info.split([',', ' ']).next().unwrap_or_default(),
                        CodeBlockKind::Indented => "",
                    };
                    let class = format!("<pre tabindex=\"0\"><code class=\"language-{}\">", escape(language));
                    out.push(Event::Html(class.into()));
                }
                Event::End(TagEnd::CodeBlock) => out.push(Event::Html("</code></pre>\n".into())),
                Event::Start(Tag::Table(_)) => {
                    let region = "<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">";
                    out.extend([Event::Html(region.into()), event.clone()]);
                }
                Event::End(TagEnd::Table) => out.extend([event.clone(), Event::Html("</div>\n".into())]),
                _ => out.push(event.clone()),
            }
        }
        html::push_html(&mut page.html, out.into_iter());
        // The policy of the site allows no inline styles. Markup in the text is escaped, so these are tags.
        for side in ["left", "center", "right"] {
            for tag in ["th", "td"] {
                let (style, class) =
                    (format!("<{tag} style=\"text-align: {side}\">"), format!("<{tag} class=\"{side}\">"));
                page.html = page.html.replace(&style, &class);
            }
        }
        if page.title.is_empty() {
            page.title = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        }
        page
    }

    /// Returns an anchor for a heading, the same as on GitHub.
    fn anchor(&mut self, words: &str) -> String {
        let mut slug = String::new();
        for char in words.to_lowercase().chars() {
            match char {
                ' ' => slug.push('-'),
                '-' | '_' => slug.push(char),
                _ if char.is_alphanumeric() => slug.push(char),
                _ => {}
            }
        }
        let mut anchor = slug.clone();
        for n in 1.. {
            if self.anchors.insert(anchor.clone()) {
                break;
            }
            anchor = format!("{slug}-{n}");
        }
        anchor
    }

    /// Notes a link, and returns what it is on the site; or the path of the file if the site does not have it.
    fn link(&mut self, text: &str, path: &Path) -> Result<String, String> {
        let is_elsewhere = text.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '#', '.']));
        if is_elsewhere {
            return Ok(text.to_owned());
        }
        let (file, anchor) = text.split_once('#').map_or((text, None), |(file, anchor)| (file, Some(anchor)));
        let from = path.parent().unwrap_or(Path::new(""));
        let target = if file.is_empty() { path.to_owned() } else { normal(&from.join(file)) };
        self.links.push(Link {
            text: text.to_owned(),
            path: target.clone(),
            anchor: anchor.map(str::to_owned),
        });
        let suffix = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
        if file.is_empty() {
            Ok(suffix)
        } else if is_page(&target) {
            Ok(relative(from, &html_path(&target)) + &suffix)
        } else if is_image(&target) {
            Ok(text.to_owned())
        } else {
            Err(target.display().to_string())
        }
    }
}

/// The text of the element that these events begin with.
fn words(events: &[Event<'_>]) -> String {
    let mut depth = 0;
    let mut words = String::new();
    for event in events {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(text) | Event::Code(text) => words += text,
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    words
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Whether the site has a page for a file of the repository.
fn is_page(path: &Path) -> bool {
    path.starts_with(DOCS) && is_markdown(path)
}

/// Whether the site has a copy of a file of the repository.
fn is_image(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.starts_with(DOCS) && matches!(extension, Some("png" | "svg"))
}

fn html_path(path: &Path) -> PathBuf {
    if path.ends_with("README.md") { path.with_file_name("index.html") } else { path.with_extension("html") }
}

/// The path from a folder to a file; both are paths from the root.
fn relative(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Resolves `.` and `..`. What leads out of the repository keeps its `..`, and is found by nobody.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => _ = normal.pop(),
            part => normal.push(part),
        }
    }
    normal
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page::render(text, Path::new("docs/guide/page.md"))
    }

    /// A temporary repository with these files. Removed on drop.
    struct Repository(PathBuf);

    impl Repository {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("guide-{}-{name}", std::process::id()));
            for (path, text) in files {
                write(&root.join(path), text.as_bytes()).expect("a file");
            }
            Self(root)
        }

        fn guide(&self) -> Guide {
            Guide::read(&self.0, "docs/guide").expect("a guide")
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn headings_have_the_anchors_that_github_gives_them() {
        let page = page("# One & two\n\n## `Pacer::frame`, or: what?\n\n## Same\n\n## Same\n\n## a_b - c\n");
        assert_eq!(page.title, "One & two");
        let anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
        assert_eq!(anchors, ["a_b---c", "one--two", "pacerframe-or-what", "same", "same-1"]);
        assert!(page.html.contains("<h2 id=\"same-1\">"), "{}", page.html);
    }

    #[test]
    fn links_follow_the_files_to_their_pages() {
        for (text, html) in [
            ("[a](input.md)", "<a href=\"input.html\">a</a>"),
            ("[a](./input.md#taps)", "<a href=\"input.html#taps\">a</a>"),
            ("[a](README.md)", "<a href=\"index.html\">a</a>"),
            ("[a](../pacing.md)", "<a href=\"../pacing.html\">a</a>"),
            ("[a](#b)", "<a href=\"#b\">a</a>"),
            ("[a](https://example.org/x.md#b)", "<a href=\"https://example.org/x.md#b\">a</a>"),
            ("[the loop](../../crates/x.rs)", "the loop (<code>crates/x.rs</code>)"),
            ("[`crates/x.rs`](../../crates/x.rs)", "<code>crates/x.rs</code>"),
            ("![a](../images/x.png)", "<img src=\"../images/x.png\" alt=\"a\" />"),
        ] {
            assert_eq!(page(text).html.trim(), format!("<p>{html}</p>"), "{text}");
        }
    }

    #[test]
    fn no_page_has_an_inline_style_or_script() {
        let page = page("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | `<td style=\"x\">` |\n");
        assert!(page.html.contains("<th class=\"right\">c</th>") && !page.html.contains("style=\"text"));
        assert!(page.html.contains("&lt;td style="), "what a text says stays: {}", page.html);
    }

    #[test]
    fn every_dead_link_is_named_and_no_other() {
        let repository = Repository::new(
            "dead",
            &[
                ("README.md", "x"),
                (
                    "docs/guide/README.md",
                    "# Index\n[one](one.md#there), [dead](one.md#not), [file](../../README.md)",
                ),
                (
                    "docs/guide/one.md",
                    "# One\n## There\n[dead](two.md), [out](../../../../x.md), ![dead](../x.png)",
                ),
            ],
        );
        let dead = repository.guide().dead_links();
        let of = |page: &str, link: &str| format!("docs/guide/{page} links to {link}, which is not there");
        let expected = [
            of("README.md", "one.md#not"),
            of("one.md", "two.md"),
            of("one.md", "../../../../x.md"),
            of("one.md", "../x.png"),
        ];
        assert_eq!(dead, expected);
    }

    #[test]
    fn a_site_has_the_pages_in_the_order_of_the_index_and_what_they_link_to() {
        let repository = Repository::new(
            "site",
            &[
                ("docs/guide/README.md", "# Index\n[z](z.md), [a](a.md)"),
                ("docs/guide/a.md", "# A\n[more](../more.md)"),
                ("docs/guide/b.md", "# B"),
                ("docs/guide/z.md", "# Z <&>"),
                ("docs/more.md", "# More\n![chart](chart.svg) [back](guide/a.md)"),
                ("docs/chart.svg", "<svg/>"),
                ("docs/unused.md", "# Unused"),
            ],
        );
        let (guide, site) = (repository.guide(), repository.0.join("site"));
        guide.write(&site).expect("a site");
        let read = |path: &str| fs::read_to_string(site.join(path)).expect(path);
        let contents = "<ol>\n<li><a href=\"index.html\" aria-current=\"page\">Index</a></li>\n\
                        <li><a href=\"z.html\">Z &lt;&amp;&gt;</a></li>\n<li><a href=\"a.html\">A</a></li>\n\
                        <li><a href=\"b.html\">B</a></li>\n</ol>";
        assert!(read("docs/guide/index.html").contains(contents), "{}", read("docs/guide/index.html"));
        assert!(read("docs/more.html").contains("<a href=\"guide/a.html\">back</a>"));
        assert!(read("docs/more.html").contains("href=\"../guide.css\""));
        assert_eq!(read("docs/chart.svg"), "<svg/>");
        assert!(!site.join("docs/unused.html").exists());
        assert_eq!(guide.dead_links(), Vec::<String>::new());
    }

    #[test]
    fn the_guide_has_no_dead_link() {
        let guide = Guide::read(crate::wasm::root().expect("a repository"), "docs/guide").expect("a guide");
        assert_eq!(guide.dead_links(), Vec::<String>::new());
    }
}
