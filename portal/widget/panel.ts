import type { Words } from "@aos/user-texts/widget";
import { element, iconButton, keepFocusIn, textButton } from "./dom.ts";
import styles from "./styles.css?inline";

export interface PanelActions {
  readonly open: () => void;
  readonly close: () => void;
  readonly send: () => void;
  readonly stop: () => void;
  readonly askForPerson: () => void;
  readonly attach: (file: File) => void;
}

export interface PanelOptions {
  readonly title: string;
  readonly language: string;
  readonly theme: string;
  readonly side: string;
  readonly words: Words;
}

export type Panel = ReturnType<typeof createPanel>;

/** The elements of the widget, in a shadow tree that the page's styles do not reach. */
export function createPanel({ title, language, theme, side, words }: PanelOptions, actions: PanelActions) {
  const host = element("div", { lang: language, "data-theme": theme, "data-side": side });
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];

  const launcher = iconButton("chat", words.open, actions.open);
  launcher.className = "launcher";
  launcher.setAttribute("aria-haspopup", "dialog");
  launcher.setAttribute("aria-expanded", "false");

  const handler = element("p", { class: "handler" });
  const person = textButton(words.person, actions.askForPerson);
  const close = iconButton("close", words.close, actions.close);
  const heading = element("h2", { id: "title" }, title);
  const disclosure = element("p", { class: "disclosure" }, words.disclosure);
  const log = element("div", {
    class: "log",
    role: "log",
    "aria-live": "off",
    "aria-label": words.conversation,
    tabindex: "0",
  });
  const state = element("p", { class: "state" });
  const stop = textButton(words.stop, actions.stop);
  const more = textButton("", () => undefined);
  const progress = element("div", { class: "progress" }, state, stop, more, person);
  const said = element("div", { class: "said", role: "status", "aria-atomic": "false" });
  const composer = createComposer(words, actions);
  const panel = element(
    "section",
    { class: "panel", role: "dialog", "aria-modal": "true", "aria-labelledby": "title" },
    element("header", {}, element("div", {}, heading, handler), close),
    disclosure,
    log,
    progress,
    said,
    composer.form,
  );
  panel.hidden = true;
  keepFocusIn(panel, root);
  panel.addEventListener("keydown", (event) => {
    event.stopPropagation(); // shortcuts of the page are not meant
    if (event.key === "Escape") actions.close();
  });
  root.append(launcher, panel);
  return { host, root, launcher, panel, handler, person, disclosure, log, state, stop, more, said, ...composer };
}

function createComposer(words: Words, actions: PanelActions) {
  const text = element("textarea", { id: "text", rows: "1", placeholder: words.placeholder, maxlength: "32000" });
  const input = element("input", { type: "file", tabindex: "-1", "aria-hidden": "true" });
  const attach = iconButton("file", words.attach, () => input.click());
  const send = iconButton("send", words.send, actions.send);
  const files = element("div", { class: "files" });
  const label = element("label", { for: "text", class: "said" }, words.message);
  const form = element("form", {}, files, element("div", { class: "row" }, attach, input, label, text, send));
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    input.value = "";
    if (file) actions.attach(file);
  });
  text.addEventListener("input", () => {
    text.style.height = "auto";
    text.style.height = `${text.scrollHeight}px`;
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    actions.send();
  });
  return { form, text, attach, send, files };
}
