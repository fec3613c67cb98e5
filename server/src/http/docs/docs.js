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

search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase().split(/\s+/);
  for (const item of items) item.hidden = !wanted.every((word) => item.dataset.words.includes(word));
  for (const group of groups) group.hidden = group.querySelector("li:not([hidden])") === null;
  none.hidden = groups.some((group) => !group.hidden);
});

search.addEventListener("keydown", (event) => {
  if (event.key === "Enter")
    items
      .find((item) => !item.hidden)
      ?.querySelector("a")
      .click();
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
if (present && contents.scrollHeight > contents.clientHeight) contents.scrollTop = present.offsetTop - contents.clientHeight / 2;
