import { printable, type Terminal } from "../terminal.ts";
import { type Fields, fieldsOf, listOf, type Row } from "./table.ts";
import { cellOf, columnsOf, counted, widthOf, wrapped } from "./text.ts";

// Conversations and what is said in them, in a few lines.

/** What a message says; of one without text, what else is in it. Undefined where it holds nothing. */
export function textOfMessage({ parts }: Row): string | undefined {
  const shown = listOf(parts);
  const texts = shown.filter(({ type }) => type === "text").map(({ text }) => String(text));
  const others = shown.map(({ type, text, summary, name, tool }) => {
    if (type === "tool_call") return `uses ${tool}`;
    return String(text ?? summary ?? name ?? "");
  });
  const said = (texts.length > 0 ? texts : others).filter((text) => text !== "");
  return said.length === 0 ? undefined : said.join(" ");
}

/** A conversation: who answers, what it waits for, and how to read it. */
export function conversation(body: Fields, terminal: Terminal): readonly string[] | null {
  const { conversation_id, agent, state, title, user, channel, language, labels, erase_at, closed_at } = body;
  if (typeof conversation_id !== "string" || typeof state !== "string") return null;
  const number = fieldsOf(body.version).number;
  const version = number === undefined ? "" : ` (version ${number})`;
  const tags = Array.isArray(labels) && labels.length > 0 ? `, labelled ${cellOf(labels)}` : "";
  const lines = [
    String(title ?? "No title"),
    `${conversation_id}: ${state}${state === "closed" ? ` since ${cellOf(closed_at)}` : ""}`,
    `agent:      ${agent}${version}`,
    `user:       ${user ?? "nobody named"}, by ${channel}${language ? `, in ${language}` : ""}${tags}`,
    `answers:    ${answers(body)}`,
    ...handedOff(fieldsOf(body.handoff)),
    `messages:   ${said(body)}`,
    ...disclosed(fieldsOf(body.disclosure)),
    ...(erase_at ? [`erased on:  ${cellOf(erase_at)}`] : []),
    `read along: aos chat conversations messages list ${conversation_id} --order oldest`,
  ];
  const width = columnsOf(terminal) ?? Number.POSITIVE_INFINITY;
  return lines.flatMap((line) => folded(printable(line), width));
}

const indent = 12;

/** A line as it is where it fits, else broken between words. */
function folded(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  return wrapped(line, width - indent).map((part, index) => (index === 0 ? part : " ".repeat(indent) + part));
}

function answers({ handler, busy, waiting }: Fields): string {
  const { kind, name, since } = fieldsOf(handler);
  const who = kind === "person" ? `${name}, a person, since ${cellOf(since)}` : `${name}, the agent`;
  const line = typeof waiting === "number" && waiting > 0 ? `; ${counted(waiting, "message")} in line` : "";
  return `${who}${busy === true ? "; answering now" : ""}${line}`;
}

function handedOff({ to, reason, summary, summary_generated, requested_at, taken_at }: Fields): string[] {
  if (reason === undefined) return [];
  const until = taken_at ? `taken ${cellOf(taken_at)}` : "nobody took it yet";
  return [
    `handed off: to ${to === "person" ? "a person" : "another agent"}, ${cellOf(requested_at)}, ${until}: ${cellOf(reason)}`,
    ...(summary ? [`so far:     ${cellOf(summary)}${summary_generated === true ? " (generated)" : ""}`] : []),
  ];
}

function said({ messages, last_message_at, sequence }: Fields): string {
  const last = last_message_at ? `, the last ${cellOf(last_message_at)}` : "";
  return `${messages}${last}; event ${sequence}`;
}

function disclosed({ text, delivered_at }: Fields): string[] {
  if (text === undefined) return [];
  return [`disclosure: “${cellOf(text)}”, ${delivered_at ? `delivered ${cellOf(delivered_at)}` : "not delivered yet"}`];
}
