import { latinLook } from "./confusables.ts";
import type { Work } from "./findings.ts";
import { isInvisible } from "./hidden.ts";

/** The words of a text as rules compare them: small letters, no accents, no letters that only look Latin, nothing invisible. */
export interface Words {
  readonly words: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Stands for the end of a sentence or of a part of it. */
export const SENTENCE = ".";
export const CLAUSE = ",";
export const ADDRESS = "@url";
export const MAIL = "@mail";

const LONGEST_WORD = 60;
const LONGEST_ADDRESS = 2_000;
const LONGEST_MAIL = 120;
const PART = /[\p{L}\p{M}\p{N}'’_]/u;
const SPACE = /\s/;

/** Splits a text into words and marks; each unit is read a fixed number of times. */
export function wordsOf(text: string, work: Work): Words {
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (word: string, start: number, end: number): void => {
    words.push(word);
    starts.push(start);
    ends.push(end);
  };
  for (let at = 0; at < text.length; ) {
    const end = wordEnd(text, at);
    work.steps += end - at + 1;
    if (end > at) {
      const address = addressAt(text, at, end, work);
      if (address.kind === null) push(folded(text.slice(at, Math.min(end, at + LONGEST_WORD))), at, end);
      else push(address.kind, at, address.end);
      at = address.end;
      continue;
    }
    const mark = markAt(text, at);
    if (mark !== null && words.at(-1) !== mark) push(mark, at, at + 1);
    at++;
  }
  return { words, starts, ends };
}

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.codePointAt(end)!;
    const isPart = code < 128 ? isAsciiPart(code) : isInvisible(code) || PART.test(String.fromCodePoint(code));
    if (!isPart) break;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

const isAsciiPart = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 0x27 ||
  code === 0x5f;

/** An address (`https://…`, also written `hxxp`) or a mailbox that begins with the word from `start` to `end`. */
function addressAt(text: string, start: number, end: number, work: Work): { kind: string | null; end: number } {
  const isUrl = text.startsWith("://", end) && end - start <= 10;
  if (!isUrl && !"@.-+".includes(text[end] ?? " ")) return { kind: null, end };
  const most = Math.min(text.length, start + (isUrl ? LONGEST_ADDRESS : LONGEST_MAIL));
  let to = end;
  let sign = -1;
  for (; to < most && !endsAddress(text.charCodeAt(to)); to++) if (sign < 0 && text.charCodeAt(to) === 0x40) sign = to;
  work.steps += to - end;
  while (to > end && ".:!?".includes(text[to - 1]!)) to--;
  if (isUrl) return { kind: ADDRESS, end: to };
  const dot = sign < 0 ? -1 : text.slice(sign, to).indexOf(".");
  return dot > 1 ? { kind: MAIL, end: to } : { kind: null, end };
}

const ENDS = new Set([..."\"'`<>()[],; \t\r\n\u00a0"].map((mark) => mark.charCodeAt(0)));
const endsAddress = (code: number): boolean => ENDS.has(code);

function markAt(text: string, at: number): string | null {
  const char = text[at]!;
  const next = text[at + 1] ?? " ";
  if (".!?".includes(char)) return SPACE.test(next) || "\"'”“»)".includes(next) ? SENTENCE : null;
  if (char === "\n") return next === "\n" || "-*#".includes(next) ? SENTENCE : null;
  return ",;:—".includes(char) ? CLAUSE : null;
}

const ONLY_ASCII = /^\p{ASCII}*$/u;

function folded(word: string): string {
  if (ONLY_ASCII.test(word)) return word.toLowerCase().replace(/'s$/, "");
  let shown = "";
  for (const character of word) if (!isInvisible(character.codePointAt(0)!)) shown += character;
  const latin = latinLook(shown).toLowerCase().replaceAll("ß", "ss").replaceAll("’", "'");
  return latin.normalize("NFD").replace(/\p{M}/gu, "").replace(/'s$/, "");
}
