import type { Breakdown, Figure } from "../figures/window-schemas.ts";
import { csvLine } from "../queries/csv.ts";
import { type MeasureName, measures } from "../rollups/measures.ts";
import type { ChapterName } from "./chapters.ts";
import { chapters } from "./chapters.ts";

// The text of a report from its figures, in the three formats.

export interface MeasuredChapter {
  readonly chapter: ChapterName;
  readonly figures: Readonly<Record<string, Figure>>;
  readonly tables: readonly { readonly by: string; readonly rows: readonly Breakdown[]; readonly more: boolean }[];
}

export interface ReportFacts {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly environment: string;
  readonly complete: boolean;
  readonly only: readonly string[];
  readonly chapters: readonly MeasuredChapter[];
}

const digits = (most: number) => new Intl.NumberFormat("en", { maximumFractionDigits: most });
const formats: Readonly<Record<(typeof measures)[MeasureName]["unit"], (value: number) => string>> = {
  count: (value) => digits(0).format(value),
  tokens: (value) => digits(0).format(value),
  share: (value) => `${digits(1).format(value * 100)} %`,
  usd: (value) => `$${digits(value < 1 ? 4 : 2).format(value)}`,
  seconds: (value) => `${digits(value < 10 ? 2 : 0).format(value)} s`,
  score: (value) => digits(3).format(value),
};

const unitOf = (name: string) => measures[name as MeasureName].unit;
const shown = (name: string, value: number | null): string => (value === null ? "–" : formats[unitOf(name)](value));
const interval = (name: string, { low, high }: Figure): string =>
  low === null || high === null ? "" : `${shown(name, low)} to ${shown(name, high)}`;
const titleOf = (name: string): string => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
const nameOf = (value: string | null | undefined): string => value ?? "none";

interface Table {
  readonly title: string | null;
  readonly rows: readonly (readonly string[])[];
  readonly note: string | null;
}

function tablesOf({ chapter, figures, tables }: MeasuredChapter): Table[] {
  const heads = ["Measure", "Value", "95 % interval", "Before"];
  const whole = Object.entries(figures).map(([name, figure]) => [
    titleOf(name),
    shown(name, figure.value),
    interval(name, figure),
    shown(name, figure.previous),
  ]);
  const parts = tables.map(({ by, rows, more }, i): Table => {
    const asked = chapters[chapter].tables[i]?.measures ?? [];
    return {
      title: `By ${by}`,
      rows: [
        [titleOf(by), ...asked.map(titleOf)],
        ...rows.map(({ key, figures: of }) => [
          nameOf(key[by]),
          ...asked.map((name) => shown(name, of[name]?.value ?? null)),
        ]),
      ],
      note: more ? "The largest; there are more." : null,
    };
  });
  return [{ title: null, rows: [heads, ...whole], note: null }, ...parts.filter(({ rows }) => rows.length > 1)];
}

const headOf = ({ from, to, timeZone, environment, complete, only }: ReportFacts): string[] => [
  `From ${from} to ${to} (${timeZone}), ${environment}${only.length === 0 ? "" : `, only ${only.join(", ")}`}.`,
  ...(complete ? [] : ["Not complete: tasks of this time were still open."]),
];

const cell = (text: string): string => text.replaceAll(/[\\|<>*_`[\]]/g, "\\$&").replaceAll(/\s+/g, " ");

export function markdownOf(facts: ReportFacts): string {
  const lines = [`# ${cell(facts.name)}`, "", ...headOf(facts).flatMap((line) => [cell(line), ""])];
  for (const chapter of facts.chapters) {
    lines.push(`## ${chapters[chapter.chapter].title}`, "");
    for (const { title, rows, note } of tablesOf(chapter)) {
      if (title) lines.push(`### ${title}`, "");
      const [heads = [], ...body] = rows;
      lines.push(
        row(heads),
        `|${heads.map((_, i) => (i === 0 ? " --- " : " ---: ")).join("|")}|`,
        ...body.map(row),
        "",
      );
      if (note) lines.push(note, "");
    }
  }
  return lines.join("\n");
}

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] as string);

/** A self-contained page: it loads nothing. */
export function htmlOf(facts: ReportFacts): string {
  const parts = facts.chapters.map((chapter) => {
    const tables = tablesOf(chapter).map(({ title, rows, note }) => {
      const [heads = [], ...body] = rows;
      const line = (tag: string, cells: readonly string[]) =>
        `<tr>${cells.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join("")}</tr>`;
      const table = `<table><thead>${line("th", heads)}</thead><tbody>${body.map((one) => line("td", one)).join("")}</tbody></table>`;
      return `${title ? `<h3>${escaped(title)}</h3>` : ""}${table}${note ? `<p>${escaped(note)}</p>` : ""}`;
    });
    return `<h2>${chapters[chapter.chapter].title}</h2>${tables.join("")}`;
  });
  const style =
    "body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}table{border-collapse:collapse;margin:0 0 1rem}td,th{border-bottom:1px solid #ccc;padding:.25rem .75rem;text-align:right}td:first-child,th:first-child{text-align:left}";
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(facts.name)}</title><style>${style}</style></head><body>`,
    `<h1>${escaped(facts.name)}</h1>${headOf(facts)
      .map((line) => `<p>${escaped(line)}</p>`)
      .join("")}`,
    ...parts,
    "</body></html>",
  ].join("\n");
}

export function csvOf(facts: ReportFacts): string {
  const heads = ["chapter", "by", "name", "measure", "unit", "value", "low", "high", "n", "previous"];
  const line = (chapter: string, by: string, name: string, measure: string, figure: Figure) =>
    csvLine([
      chapter,
      by,
      name,
      measure,
      unitOf(measure),
      figure.value,
      figure.low,
      figure.high,
      figure.n,
      figure.previous,
    ]);
  const lines = facts.chapters.flatMap(({ chapter, figures, tables }) => [
    ...Object.entries(figures).map(([measure, figure]) => line(chapter, "", "", measure, figure)),
    ...tables.flatMap(({ by, rows }) =>
      rows.flatMap(({ key, figures: of }) =>
        Object.entries(of).map(([measure, figure]) => line(chapter, by, nameOf(key[by]), measure, figure)),
      ),
    ),
  ]);
  return [csvLine(heads), ...lines].join("");
}
