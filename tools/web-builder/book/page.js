// What mdBook's pages lack for those who use a keyboard.
const toggle = document.getElementById("mdbook-sidebar-toggle");
toggle.role = "button";
toggle.tabIndex = 0;
toggle.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  toggle.click();
});
document.getElementById("mdbook-searchbar").ariaLabel = "Search the book";

// What is wider than the page scrolls by itself, also by keyboard.
const watch = new ResizeObserver((entries) => {
  for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});
for (const table of document.querySelectorAll(".table-wrapper")) {
  table.role = "region";
  table.ariaLabel = "Table";
}
for (const wide of document.querySelectorAll("pre > code, .table-wrapper")) watch.observe(wide);
