export type Made = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Made[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Drawings of the buttons: paths in a square of 24. */
const drawings = {
  chat: "M4 5h16v11H9l-5 4z",
  close: "M6 6l12 12M18 6L6 18",
  send: "M4 12l16-8-6 16-3-6z",
  file: "M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l8-8",
  good: "M7 11v9H4v-9zM7 11l4-8c2 0 3 1 2.500 3.500L13 10h6l-1.500 9.500H7",
  bad: "M7 13V4H4v9zM7 13l4 8c2 0 3-1 2.500-3.500L13 14h6L17.500 4.500H7",
} as const;

function drawing(name: keyof typeof drawings): SVGElement {
  const svg = "http://www.w3.org/2000/svg";
  const made = document.createElementNS(svg, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", drawings[name]);
  made.append(path);
  return made;
}

/** A button with a drawing, whose words are read out and shown when it is pointed at. */
export function iconButton(icon: keyof typeof drawings, label: string, act: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "icon", "aria-label": label, title: label }, drawing(icon));
  button.addEventListener("click", act);
  return button;
}

export function textButton(label: string, act: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "text" }, label);
  button.addEventListener("click", act);
  return button;
}

/** Keeps the focus inside an element while Tab is pressed there. */
export function keepFocusIn(panel: HTMLElement, root: ShadowRoot): void {
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const able = [...panel.querySelectorAll<HTMLElement>("a[href],button:not([disabled]),textarea,[tabindex='0']")];
    const shown = able.filter((one) => one.getClientRects().length > 0);
    const [first, last] = [shown.at(0), shown.at(-1)];
    const leaves = root.activeElement === (event.shiftKey ? first : last);
    if (!leaves) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  });
}
