// Finding a page and copying an example. Without this script everything else is there all the same.

const contents = document.querySelector("#contents");
const items = [...contents.querySelectorAll("li")];
const groups = [...contents.querySelectorAll("section")];
const none = contents.querySelector("#none");

const search = document.createElement("input");
search.type = "search";
search.placeholder = "Find a page";
search.setAttribute("aria-label", "Find a page");
search.autocomplete = "off";
contents.prepend(search);

// The words of all pages, fetched when somebody first searches. Until they are there, and where they cannot be had, titles are searched.
let texts;
const titleOf = (item) => item.textContent.toLowerCase();
const wordsOf = (item) => `${titleOf(item)} ${texts[item.querySelector("a").getAttribute("href")] ?? ""}`;
const has = (words) =>
  search.value
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));

const filter = () => {
  for (const item of items) item.hidden = !has(wordsOf(item));
  for (const group of groups) group.hidden = group.querySelector("li:not([hidden])") === null;
  none.hidden = groups.some((group) => !group.hidden);
};

search.addEventListener("input", async () => {
  if (texts === undefined) {
    texts = {};
    const answer = await fetch("/docs/search.json").catch(() => ({ ok: false }));
    if (answer.ok) texts = await answer.json();
  }
  filter();
});

search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const found = items.find((item) => has(titleOf(item))) ?? items.find((item) => !item.hidden);
  found?.querySelector("a").click();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});

for (const figure of document.querySelectorAll("figure.code")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const copied = navigator.clipboard.writeText(figure.querySelector("pre").textContent);
    button.textContent = await copied.then(
      () => "Copied",
      () => "Not copied",
    );
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  figure.querySelector("figcaption").append(button);
}

// The current page is in view among the contents, without moving the page itself.
const current = contents.querySelector("[aria-current]");
if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2;

// The language of examples that somebody opened last is open on every page.
for (const sample of document.querySelectorAll(".samples > details")) {
  const language = sample.querySelector("summary").textContent;
  if (language === localStorage.getItem("language")) sample.open = true;
  sample.addEventListener("toggle", () => sample.open && localStorage.setItem("language", language));
}
