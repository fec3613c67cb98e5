import { filled, languageFor, type ReplyTexts, replyTexts, type SmallTalk } from "@aos/user-texts";
import type { Answer } from "./answer.ts";
import { sentencesOf } from "./chunks.ts";
import type { Chat } from "./conversation.ts";
import type { Passage, SearchedPages } from "./found-pages.ts";

/** Fields by which an answer is said. */
const spoken = ["text", "answer", "reply", "message"];

/** From this novelty on, what was learnt is about something else. */
const strange = 0.9;
/** Sentences of the page that are quoted where none of them has enough of the question. */
const mostQuoted = 2;

/** An answer as it is said in a conversation: its text, else its fields one a line; where it has none, what the searches came to. */
export function replyOf(
  { output, novelty }: Pick<Answer, "output" | "novelty">,
  { language }: Chat,
  message: string,
  searched: SearchedPages | null,
): string {
  const texts = replyTexts[languageFor(language, message)];
  if (novelty !== undefined && novelty >= strange) return texts.nothing;
  const said = spoken.map((name) => output[name]).find((value) => typeof value === "string" && value !== "");
  const lines = Object.entries(output).map(([name, value]) => `${labelOf(name)}: ${textOf(value)}`);
  const own = typeof said === "string" ? said : lines.join("\n");
  const reply = own === "" ? searchedText(searched, texts) : own;
  const corrected = searched?.outcome === "nothing" ? [] : (searched?.corrected ?? []);
  return [...corrected.map(({ from, to }) => filled(texts.readAs, from, to)), reply].join("\n\n");
}

/** What is said without looking anything up. */
export function smallTalkReply(kind: SmallTalk, { language }: Chat, message: string, handedOver: boolean): string {
  const texts = replyTexts[languageFor(language, message)];
  const person = handedOver ? texts.handedOver : texts.person;
  return { greeting: texts.greeting, thanks: texts.welcome, person }[kind];
}

function searchedText(searched: SearchedPages | null, texts: ReplyTexts): string {
  const [first] = searched?.pages ?? [];
  if (!searched || first === undefined) return texts.nothing;
  if (searched.outcome === "answered")
    return sentencesOf(first[0]?.text ?? "")
      .slice(0, mostQuoted)
      .join(" ");
  const links = searched.pages.flatMap(([passage]) => (passage ? [`- ${linkTo(passage)}`] : []));
  return `${texts.unsure}\n\n${links.join("\n")}`;
}

/** Titles of documents are data: nothing in them may end the link's text, or begin another one. */
function linkTo({ title, text, url }: Passage): string {
  const name = (title.trim() || (sentencesOf(text)[0] ?? "")).replace(/[[\]()\\<>`*_!\n]/g, " ").trim();
  return url === null || /[\s()<>]/.test(url) ? name : `[${name}](${url})`;
}

const labelOf = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
