import { stringify } from "yaml";
import { type Painter, printable } from "./terminal.ts";

export interface DefinitionDiff {
  readonly summary: string;
  readonly identical: boolean;
  /** What an agent's difference does to the evidence about it. */
  readonly effect?: { readonly overall: string };
  readonly changes: readonly Change[];
  /** What the environment of the key does not have of it. */
  readonly warnings?: readonly { readonly pointer: string; readonly detail: string }[];
}

interface Change {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly kind: "added" | "removed" | "changed" | "moved";
  readonly before?: unknown;
  readonly after?: unknown;
  readonly text?: { readonly hunks: readonly Hunk[] };
}

interface Hunk {
  readonly before_start: number;
  readonly before_lines: number;
  readonly after_start: number;
  readonly after_lines: number;
  readonly lines: readonly {
    readonly op: "same" | "removed" | "added";
    readonly text: string;
    readonly no_newline?: true;
  }[];
}

const signs = { added: "+", removed: "-", changed: "~", moved: "~" } as const;
const evidence: Readonly<Record<string, string>> = {
  prompt_or_tool_change: "Prompts or tools change, so earlier evidence would count less.",
  model_change: "The model changes, so earlier evidence would count least.",
};

/** A difference as lines for people: a sign and a JSON Pointer for each change, below it the values, texts line by line. */
export function diffLines(name: string, diff: DefinitionDiff, paint: Painter): string[] {
  const head = paint.strong(printable(`${name}: ${diff.summary}`));
  const effect = evidence[diff.effect?.overall ?? ""];
  const warnings = (diff.warnings ?? []).map(({ pointer, detail }) =>
    paint.changed(printable(`! ${pointer}: ${detail}`)),
  );
  return [
    head,
    ...diff.changes.flatMap((change) => changeLines(change, paint)),
    ...(effect ? [paint.faint(effect)] : []),
    ...warnings,
  ];
}

function changeLines(change: Change, paint: Painter): string[] {
  const { kind, pointer, path, before, after, text } = change;
  const colour = { added: paint.added, removed: paint.removed, changed: paint.changed, moved: paint.changed }[kind];
  const title = (more = ""): string =>
    colour(`${signs[kind]} ${printable(pointer)}`) + more + paint.faint(printable(`  ${path.join(" › ")}`));
  if (kind === "moved") return [title(` moved from ${Number(before) + 1} to ${Number(after) + 1}`)];
  if (text) return [title(), ...text.hunks.flatMap((hunk) => hunkLines(hunk, paint))];
  if (kind === "changed" && isShort(before) && isShort(after))
    return [title(` ${paint.removed(shortOf(before))} → ${paint.added(shortOf(after))}`)];
  return [
    title(),
    ...valueLines(kind === "added" ? undefined : before, "-", paint.removed),
    ...valueLines(kind === "removed" ? undefined : after, "+", paint.added),
  ];
}

function hunkLines({ before_start, before_lines, after_start, after_lines, lines }: Hunk, paint: Painter): string[] {
  const place = paint.faint(`    @@ -${before_start},${before_lines} +${after_start},${after_lines} @@`);
  return [
    place,
    ...lines.flatMap(({ op, text, no_newline }) => {
      const shown = printable(text);
      const line = {
        same: `     ${shown}`,
        removed: paint.removed(`    -${shown}`),
        added: paint.added(`    +${shown}`),
      }[op];
      return no_newline ? [line, paint.faint("    \\ no newline at the end")] : [line];
    }),
  ];
}

const isShort = (value: unknown): boolean => typeof value !== "object" && String(value).length <= 60;
const shortOf = (value: unknown): string => printable(JSON.stringify(value));

/** A value as YAML, indented; nothing for one that is not there. */
function valueLines(value: unknown, sign: string, colour: (text: string) => string): string[] {
  if (value === undefined) return [];
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split("\n");
  return lines.map((line) => colour(`    ${sign} ${printable(line)}`));
}
