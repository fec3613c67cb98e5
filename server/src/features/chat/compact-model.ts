import type { MessageRow } from "./message-store.ts";
import { isShown, tokensOf, transcriptTokens } from "./transcript.ts";

// Which messages a summary stands for, and what it says where no model writes it.

/** Tokens of messages that no summary stands for, above which a conversation is compacted by itself. */
export const compactAbove = transcriptTokens * 0.75;
/** Tokens and messages at the end that are always shown as they are. */
const keptTokens = transcriptTokens / 4;
const leastKept = 4;
const leastCovered = 2;

/** What a summary stands for: the messages, oldest first, and the summary that it takes up. */
export interface Compacted {
  readonly earlier: MessageRow | undefined;
  readonly covered: readonly MessageRow[];
  readonly to: number;
}

/** The messages of a conversation that are worth a summary; undefined: too few. Nothing from the first message on that is not finished is among them. */
export function compactable(messages: readonly MessageRow[], keep?: number): Compacted | undefined {
  const shown = messages.filter(isShown);
  const earlier = shown.findLast(({ covers_to }) => covers_to !== null);
  const unfinished = messages.find(
    ({ status }) => status === "queued" || status === "streaming" || status === "waiting",
  );
  const open = shown.filter(({ number, covers_to }) => covers_to === null && number > (earlier?.covers_to ?? 0));
  const end = keep === undefined ? open.length - keptAtEnd(open) : open.length - keep;
  const covered = open.slice(0, Math.max(0, end)).filter(({ number }) => number < (unfinished?.number ?? Infinity));
  const last = covered.at(-1);
  return last && covered.length >= leastCovered ? { earlier, covered, to: last.number } : undefined;
}

function keptAtEnd(open: readonly MessageRow[]): number {
  let left = keptTokens;
  const kept = open.toReversed().findIndex(({ body }, at) => {
    left -= tokensOf(body);
    return at >= leastKept && left < 0;
  });
  return kept === -1 ? open.length : kept;
}

const longestSummary = 6_000;
const longestQuote = 240;

/** Sentences from messages, word for word: the first ones and the latest, as many as have room. */
export function quotedSummary({ earlier, covered }: Pick<Compacted, "earlier" | "covered">): string {
  const before = earlier ? [shortened(earlier.body, longestSummary / 2)] : [];
  const lines = covered.flatMap((message) => (message.body.trim() === "" ? [] : [lineOf(message)]));
  let room = longestSummary - (before[0]?.length ?? 0);
  const fits = (line: string): boolean => {
    room -= line.length + 1;
    return room >= 0;
  };
  const first = lines.slice(0, 3).filter(fits);
  const latest = lines.slice(3).toReversed();
  const cut = latest.findIndex((line) => !fits(line));
  const kept = (cut === -1 ? latest : latest.slice(0, cut)).toReversed();
  return [...before, ...first, ...(cut === -1 ? [] : ["…"]), ...kept].join("\n");
}

const lineOf = ({ role, author_name, body }: MessageRow): string =>
  `${role === "user" ? "User" : (author_name ?? "Agent")}: ${shortened(body.replaceAll(/\s+/g, " ").trim(), longestQuote)}`;

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`.toWellFormed();

/** What a model is given to summarise. */
export function textToSummarise({ earlier, covered }: Pick<Compacted, "earlier" | "covered">, most: number): string {
  const lines = covered.map(
    ({ role, author_name, body }) => `${role === "user" ? "User" : (author_name ?? "Agent")}: ${body}`,
  );
  const text = [...(earlier ? [`Summary of what was before:\n${earlier.body}`] : []), ...lines].join("\n");
  return text.length <= most ? text : `${text.slice(0, most / 2)}\n[…]\n${text.slice(-most / 2)}`.toWellFormed();
}
