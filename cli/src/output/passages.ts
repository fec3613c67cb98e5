import { painter, printable, type Terminal } from "../terminal.ts";
import { columnsOf, wrapped } from "./text.ts";

export interface Passage {
  readonly citation: string;
  readonly base: string;
  readonly title: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly first_page: number | null;
  readonly last_page: number | null;
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
}

export interface SearchAnswer {
  readonly answered: boolean;
  readonly corrected: readonly { readonly from: string; readonly to: string }[];
  readonly data: readonly Passage[];
}

/** Lines of a passage that are shown; `--json` has all of it. */
const most = 6;

/** Passages for people: rank, title and place, the words with what was looked for marked, and the citation. */
export function searchLines(answer: SearchAnswer, terminal: Terminal): string[] {
  const { answered, corrected, data } = answer;
  const read = corrected.map(({ from, to }) => `“${printable(from)}” as “${printable(to)}”`).join(", ");
  const head = [
    ...(data.length === 0
      ? ["Nothing was found."]
      : answered
        ? []
        : ["Nothing good was found; these share some words:"]),
    ...(read === "" ? [] : [`Read ${read}.`]),
  ];
  const passages = data.flatMap((passage, at) => [
    ...(at > 0 || head.length > 0 ? [""] : []),
    ...passageLines(passage, at + 1, terminal),
  ]);
  return [...head, ...passages];
}

function passageLines(passage: Passage, rank: number, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const { title, headings, first_page: first, last_page: last, base, citation } = passage;
  const pages = first === null ? "" : last === null || last === first ? `page ${first}` : `pages ${first}–${last}`;
  const place = [base, headings.join(" › "), pages].filter((part) => part !== "").join(", ");
  const width = Math.min(columnsOf(terminal) ?? 100, 100) - 3;
  const lines = wrapped(marked(passage), width);
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]} …`] : lines;
  return [
    `${paint.strong(`${rank}. ${printable(title || "Untitled")}`)}  ${paint.faint(printable(place))}`,
    ...coloured(shown, paint.changed).map((line) => `   ${line}`),
    `   ${paint.faint(citation)}`,
  ];
}

// Stand for where a mark begins and ends until lines are broken: characters of Unicode that no text has.
const [begin, end] = ["\ufdd0", "\ufdd1"];

function marked({ text, highlights }: Passage): string {
  let at = 0;
  const parts: string[] = [];
  for (const mark of [...highlights].sort((a, b) => a.start - b.start)) {
    if (mark.start < at || mark.end > text.length) continue;
    parts.push(text.slice(at, mark.start), begin, text.slice(mark.start, mark.end), end);
    at = mark.end;
  }
  return [...parts, text.slice(at)].join("").replaceAll(/\s*\n\s*/g, " ");
}

/** Marks as colours, line by line; without colours as asterisks. */
function coloured(lines: readonly string[], colour: (text: string) => string): string[] {
  const plain = colour("x") === "x";
  let open = false;
  return lines.map((line) => {
    const text = printable(open ? begin + line : line);
    open = text.lastIndexOf(begin) > text.lastIndexOf(end);
    const closed = open ? text + end : text;
    return closed.replaceAll(new RegExp(`${begin}([^${end}]*)${end}`, "g"), (_, words: string) =>
      plain ? `*${words}*` : colour(words),
    );
  });
}
