import { readGuides } from "../src/http/docs/guides.ts";

// Pages of the guide as a reader types them, and what they say of the results.

/** Pages that are meant to be typed from top to bottom begin by saying where the service is. */
const preamble = "export AOS_URL=http://127.0.0.1:4000";

/** Pages that are typed, in the order in which the documentation shows them. */
export const typedPages = (): { readonly file: string; readonly text: string }[] =>
  readGuides()
    .filter(({ file, markdown }) => file.startsWith("guide/") && markdown.includes(preamble))
    .map(({ file, markdown }) => ({ file: file.slice("guide/".length), text: markdown }));

/** A block that a reader pastes into a terminal. */
export interface Block {
  /** The heading above it; empty above the first one. */
  readonly section: string;
  readonly script: string;
  /** Texts that its output has: what a comment in quotation marks or behind an arrow says. `…` stands for anything within a line. */
  readonly claims: readonly string[];
  /** Statuses of the problems that it prints, in order: comments such as `# 409`. */
  readonly statuses: readonly string[];
}

const claim = /(?<=# )(?:"[^\n]*|→ [^\n]*)$/gm;

/** The blocks of a page. Those with an ellipsis in a command show something to fill in, and one service runs already. */
export function blocksOf(page: string): Block[] {
  const sections = page
    .split(/^## /m)
    .map((text, at) => ({ section: at === 0 ? "" : (text.split("\n")[0] ?? ""), text }));
  return sections.flatMap(({ section, text }) =>
    [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
      .map(([, script = ""]) => ({
        section,
        script,
        claims: (script.match(claim) ?? []).map((said) => said.replace(/^→ /, "")),
        statuses: script.match(/(?<=# )[45]\d\d\b/g) ?? [],
      }))
      .filter(({ script }) => !/…|npm start/.test(script.replaceAll(claim, ""))),
  );
}

/** Whether a block does more than set variables, declare functions and write files. */
const isCommand = (line: string): boolean => /^(?:bin\/aos |api |curl |for |until |[A-Z]+=\$\()/.test(line);

/** Sections with commands of which nothing is said that could be checked. */
export const sectionsWithoutClaims = (blocks: readonly Block[]): string[] => {
  const bySection = Map.groupBy(blocks, ({ section }) => section);
  return [...bySection].flatMap(([section, own]) => {
    const runs = own.some(({ script }) => script.split("\n").some(isCommand));
    return runs && own.every(({ claims, statuses }) => claims.length + statuses.length === 0) ? [section] : [];
  });
};

/** Whether a line of an output has a text, however it aligns its columns. */
export function has(output: string, said: string): boolean {
  const parts = said.split("…").map(inOneSpace);
  return output.split("\n").some((line) => {
    let rest: string | undefined = inOneSpace(line);
    for (const part of parts) rest = rest?.split(part).slice(1).join(part) || (rest?.endsWith(part) ? "" : undefined);
    return rest !== undefined;
  });
}

const inOneSpace = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
