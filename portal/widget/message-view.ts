import { filled, type Words } from "@aos/user-texts/widget";
import { element, iconButton, type Made, textButton } from "./dom.ts";
import { markdownNodes, safeAddress } from "./markdown.ts";
import type { Message, Part } from "./types.ts";

/** What can be done with a message. */
export interface MessageActions {
  /** Returns whether it was taken. */
  readonly rate: (message: Message, good: boolean) => Promise<boolean>;
  readonly answer: (text: string) => void;
  readonly download: (file: string, name: string) => void;
}

const markOf = { queued: "queued", stopped: "stopped", failed: "failed", retracted: "retracted" } as const;

export interface ViewOptions {
  readonly words: Words;
  readonly language: string;
  readonly actions: MessageActions;
}

/** A message as it stands; `rated`: what the user thinks of it. */
export function messageView(
  message: Message,
  rated: boolean | undefined,
  { words, language, actions }: ViewOptions,
): HTMLElement {
  const { role, status, parts, message_id: id } = message;
  const name = authorOf(message, words);
  const bubble = element(
    "div",
    { class: "bubble" },
    ...parts.flatMap((part) => (part ? partNodes(part, message, words, actions) : [])),
  );
  const mark = status in markOf ? [element("p", { class: "mark" }, words[markOf[status as keyof typeof markOf]])] : [];
  const view = element(
    "article",
    { class: `message ${role}`, "data-message": id, "aria-label": name },
    element("p", { class: "author" }, name, " ", timeOf(message, language)),
    ...(bubble.childNodes.length > 0 ? [bubble] : []),
    ...mark,
    ...(role === "agent" && status === "complete" ? [ratingOf(message, rated, words, actions)] : []),
  );
  if (status === "streaming") view.setAttribute("aria-busy", "true");
  return view;
}

export function authorOf({ role, author }: Message, words: Words): string {
  if (role === "user") return words.you;
  if (role === "agent") return words.agent;
  return role === "person" ? author.name : words.service;
}

function timeOf({ created_at: at }: Message, language: string): HTMLElement {
  const format = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
  return element("time", { datetime: at }, format.format(new Date(at)));
}

function partNodes(part: Part, message: Message, words: Words, actions: MessageActions): Made[] {
  switch (part.type) {
    case "text":
      return message.role === "user" ? [element("p", { class: "plain" }, part.text)] : markdownNodes(part.text);
    case "citation":
      return [citation(part, words)];
    case "tool_call":
      return [line(words[`tool_${part.state}`])];
    case "approval":
      return [line(words[`approval_${part.state}`])];
    case "file": {
      const fetchFile = (): void => actions.download(part.file_id, part.name);
      return [textButton(filled(words.download, part.name), fetchFile)];
    }
    case "notice":
      return [line(part.text), ...optionsOf(part, message, actions)];
    default:
      return [];
  }
}

const line = (text: string): HTMLElement => element("p", { class: "line" }, text);

/** The answers that a question takes, while it waits for one. */
function optionsOf(part: Part & { type: "notice" }, { status }: Message, { answer }: MessageActions): Made[] {
  if (status !== "waiting") return [];
  return (part.options ?? []).map((option) => textButton(option, () => answer(option)));
}

function citation({ title, quote, url }: Part & { type: "citation" }, words: Words): HTMLElement {
  const address = url === null ? null : safeAddress(url);
  const link = { href: address ?? "", target: "_blank", rel: "noopener noreferrer nofollow" };
  return element(
    "div",
    { class: "source" },
    element("p", {}, filled(words.source, ""), address === null ? title : element("a", link, title)),
    element("details", {}, element("summary", {}, words.quote), element("blockquote", {}, quote)),
  );
}

function ratingOf(message: Message, rated: boolean | undefined, words: Words, { rate }: MessageActions): HTMLElement {
  const show = (good: boolean | undefined): void => {
    up.setAttribute("aria-pressed", String(good === true));
    down.setAttribute("aria-pressed", String(good === false));
  };
  const give = (good: boolean): void => {
    show(good);
    void rate(message, good).then((isTaken) => isTaken || show(rated));
  };
  const up = iconButton("good", words.good, () => give(true));
  const down = iconButton("bad", words.bad, () => give(false));
  show(rated);
  return element("div", { class: "rating" }, up, down);
}
