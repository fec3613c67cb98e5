import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, intervalOf, listOf, rounded, tableLines } from "./table.ts";
import { columnsOf, counted, wrapped } from "./text.ts";

/** How many documents were added, and why the others were not. */
export function addedDocuments({ added, replaced, unchanged, failed, results }: Fields): readonly string[] | null {
  if (typeof added !== "number") return null;
  const faults = listOf(results).filter(({ document }) => document === null);
  return [
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${failed} failed`,
    ...faults.map(({ index, errors }) =>
      printable(
        `document ${Number(index) + 1}: ${listOf(errors)
          .map(({ pointer, detail }) => `${pointer} ${detail}`.trim())
          .join("; ")}`,
      ),
    ),
  ];
}

const figureNames: Readonly<Record<string, string>> = {
  ndcg_at_10: "nDCG@10",
  recall_at_5: "recall@5",
  recall_at_10: "recall@10",
  recall_at_50: "recall@50",
  reciprocal_rank: "MRR",
};
const modeNames: Readonly<Record<string, string>> = { words: "WORDS", hybrid: "WORDS_AND_VECTORS" };

/** The figures of a retrieval test, one a line, and the questions whose documents were not found. */
export function retrievalTest(body: Fields, terminal: Terminal): readonly string[] | null {
  const { questions, asked, figures, difference, misses } = body;
  if (typeof asked !== "number" || !Array.isArray(figures)) return null;
  const unknown = [...new Set(listOf(body.results).flatMap((one) => (one.unknown as string[] | undefined) ?? []))];
  const missed = listOf(misses);
  const width = columnsOf(terminal) ?? 100;
  return [
    asked === questions
      ? `${counted(asked, "question")} asked, ${missed.length} missed`
      : `${asked} of ${counted(Number(questions), "question")} asked in time, ${missed.length} missed: send the others by themselves`,
    ...(unknown.length === 0
      ? []
      : wrapped(printable(`no document of this base, counted as not found: ${unknown.join(", ")}`), width)),
    "",
    ...figureLines(listOf(figures), terminal),
    ...differenceLines(difference),
    ...missLines(missed, terminal),
  ];
}

function figureLines(modes: readonly Fields[], terminal: Terminal): string[] {
  const rows = Object.entries(figureNames).map(([name, title]) => {
    const cells = modes.flatMap(({ mode, figures }) => {
      const { mean, low, high } = fieldsOf(fieldsOf(figures)[name]);
      return [
        [String(mode), rounded(mean, 3)],
        [`${mode} 95`, typeof low === "number" ? intervalOf(low, high) : null],
      ];
    });
    return { figure: title, ...Object.fromEntries(cells) };
  });
  const shown = modes.map(({ mode }) => ({
    title: modeNames[String(mode)] ?? String(mode),
    member: String(mode),
  }));
  const titled = columns("FIGURE=figure").concat(
    shown.flatMap(({ title, member }) => [
      { title: shown.length === 1 ? "MEAN" : title.replaceAll("_", " "), of: (row) => row[member] },
      { title: "95 %", of: (row) => row[`${member} 95`] },
    ]),
  );
  return tableLines(rows, titled, terminal);
}

function differenceLines(difference: unknown): string[] {
  const { ndcg_at_10, low, high } = fieldsOf(difference);
  if (typeof ndcg_at_10 !== "number") return [];
  const interval = typeof low === "number" ? ` (between ${signed(low)} and ${signed(Number(high))})` : "";
  return [`vectors change nDCG@10 by ${signed(ndcg_at_10)}${interval}`];
}
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function missLines(misses: readonly Fields[], terminal: Terminal): string[] {
  if (misses.length === 0) return [];
  const rows = misses.map(({ index, question, expected, found }) => {
    const [first] = listOf(found);
    return { at: Number(index) + 1, question, expected, found: first?.title || first?.document_id || "nothing" };
  });
  const shown = columns("#=at MISSED_QUESTION=question* EXPECTED=expected* FOUND_INSTEAD=found*");
  return ["", ...tableLines(rows, shown, terminal)];
}

const syncColumns = columns(
  "SYNC=sync_id STATE=state ADDED=added CHANGED=changed REMOVED=removed FAILED=failed CONNECTOR=connector*",
);

/** The syncs that were started, and how to follow them. */
export function startedSyncs(body: Fields, terminal: Terminal): readonly string[] | null {
  const started = body.syncs ?? body.data; // waiting for several ends with the list of syncs
  if (!Array.isArray(started)) return sync(body, terminal);
  const syncs = listOf(started);
  const [first, ...others] = syncs;
  if (first === undefined) return ["Nothing was started: every connector was just paused or removed."];
  const lines = others.length === 0 ? sync(first, terminal) : tableLines(syncs, syncColumns, terminal);
  return [...(lines ?? []), printable(`Progress: aos knowledge bases syncs list ${first.base_id}`)];
}

/** How far a sync is, what it changed, and the items that failed. */
export function sync(body: Fields, terminal: Terminal): readonly string[] | null {
  const { sync_id, connector, state, added, changed, removed, unchanged, failed, partial, left_out } = body;
  if (typeof sync_id !== "string" || typeof added !== "number") return null;
  const width = columnsOf(terminal) ?? 100;
  const said = [fieldsOf(body.error).detail, partial, left_out, indexText(body)].filter(
    (text) => typeof text === "string",
  );
  const failures = listOf(fieldsOf(body.failures).data);
  return [
    printable(`${sync_id}: ${connector}, ${state}`),
    `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged, ${failed} failed`,
    ...said.flatMap((text) => wrapped(printable(text), width)),
    ...(failures.length === 0
      ? []
      : ["", ...tableLines(failures, columns("ITEM=item* CODE=code REASON=detail*"), terminal)]),
  ];
}

/** What searches do not find of the connector; null: they find all. */
function indexText({ base_id, indexing, not_indexed }: Fields): string | null {
  const waiting = Number(indexing) > 0 ? `${counted(Number(indexing), "document")} to be indexed.` : "";
  const failed =
    Number(not_indexed) > 0
      ? `${counted(Number(not_indexed), "document")} could not be indexed: aos knowledge bases documents list ${base_id} --state failed`
      : "";
  return `${waiting} ${failed}`.trim() || null;
}
