// What the pages can do beyond being read: find a page, and copy an example. Without this script everything is there all the same.

const contents = document.querySelector("#contents");
const items = [...contents.querySelectorAll("li[data-words]")];
const groups = [...contents.querySelectorAll("section")];
const none = contents.querySelector("#none");

const search = document.createElement("input");
search.type = "search";
search.placeholder = "Find a page";
search.setAttribute("aria-label", "Find a page");
search.autocomplete = "off";
contents.prepend(search);

// The words of all pages, fetched when somebody first searches. Until they are there, and where they cannot be had, titles are searched.
let texts = {};
let isFetched = false;
const wordsOf = (item) => `${item.dataset.words} ${texts[item.querySelector("a").getAttribute("href")] ?? ""}`;

const wanted = () => search.value.toLowerCase().split(/\s+/);

const filter = () => {
  for (const item of items) {
    const words = wordsOf(item);
    item.hidden = !wanted().every((word) => words.includes(word));
  }
  for (const group of groups) group.hidden = group.querySelector("li:not([hidden])") === null;
  none.hidden = groups.some((group) => !group.hidden);
};

search.addEventListener("input", () => {
  filter();
  if (isFetched) return;
  isFetched = true;
  fetch("/docs/search.json")
    .then((answer) => (answer.ok ? answer.json() : {}))
    .then((found) => {
      texts = found;
      filter();
    })
    .catch(() => undefined);
});

search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const named = items.find((item) => wanted().every((word) => item.dataset.words.includes(word)));
  const found = named ?? items.find((item) => !item.hidden);
  found?.querySelector("a").click();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});

for (const figure of document.querySelectorAll("figure.code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(figure.querySelector("pre").textContent).then(
      () => "Copied",
      () => "Not copied",
    );
    button.textContent = done;
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  figure.querySelector("figcaption").append(button);
}

// The present page stands in view among the contents, without moving the page itself.
const present = contents.querySelector("[aria-current]");
if (present && contents.scrollHeight > contents.clientHeight)
  contents.scrollTop = present.offsetTop - contents.clientHeight / 2;

// The same call in several languages: one is shown, and the choice is kept for all pages.
const languageOf = (figure) => figure.querySelector("figcaption span").textContent;
const choose = (language) => {
  for (const samples of document.querySelectorAll(".samples")) {
    const figures = [...samples.querySelectorAll("figure")];
    const chosen = figures.find((figure) => languageOf(figure) === language) ?? figures[0];
    for (const figure of figures) figure.hidden = figure !== chosen;
    for (const tab of samples.querySelectorAll("[role=tab]")) {
      const selected = tab.textContent === languageOf(chosen);
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
  }
};

for (const samples of document.querySelectorAll(".samples")) {
  const tabs = document.createElement("div");
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Language of the example");
  for (const [at, figure] of [...samples.querySelectorAll("figure")].entries()) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = languageOf(figure);
    tab.setAttribute("role", "tab");
    figure.id = `sample-${at}`;
    figure.setAttribute("role", "tabpanel");
    figure.setAttribute("aria-label", tab.textContent);
    tab.setAttribute("aria-controls", figure.id);
    tab.addEventListener("click", () => {
      localStorage.setItem("language", tab.textContent);
      choose(tab.textContent);
    });
    tabs.append(tab);
  }
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const all = [...tabs.children];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  });
  samples.prepend(tabs);
}
choose(localStorage.getItem("language"));
