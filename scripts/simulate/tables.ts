import { table as judged } from "../../server/bench/report.ts";
import type { Simulation } from "./run.ts";

/** A table of text: the first column to the left, the others to the right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

const figure = (value: number | null, digits: number): string => value?.toFixed(digits) ?? "–";
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function gateTables(gate: Simulation["gate"]): string[] {
  return [...new Set(gate.map(({ release }) => release))].map((release) =>
    textTable(
      [release, "stopped", "undecided", "open", "ever open", "repeats"],
      gate
        .filter((row) => row.release === release)
        .map((row) => [
          row.rule,
          percent(row.failed),
          percent(row.inconclusive),
          percent(row.open),
          percent(row.ever_open),
          row.repeats.toFixed(1),
        ]),
    ),
  );
}

function streamTables(streams: Simulation["trust"]["streams"]): string[] {
  return [...new Set(streams.map(({ model }) => model))].map((model) =>
    textTable(
      [model, "ECE before", "ECE now", "own", "Brier before", "Brier now", "own", "mean off by"],
      streams
        .filter((row) => row.model === model)
        .map((row) => [
          row.stream,
          ...[row.ece_before, row.ece, row.own_ece].map((value) => figure(value, 3)),
          ...[row.brier_before, row.brier, row.own_brier].map((value) => figure(value, 4)),
          signed(row.off),
        ]),
    ),
  );
}

/** All tables of a simulation, for people. */
export function simulationTables(
  { seed, configuration, gate, tolerances, trust, results }: Simulation,
  colour: boolean,
): string {
  return [
    `Seed ${seed}. Configuration: ${JSON.stringify(configuration)}`,
    "What each rule does with releases whose truth is known (stopped, before people, let through):",
    ...gateTables(gate),
    "Unchanged versions once repeats were added, by tolerance:",
    textTable(
      ["tolerance", "stopped", "undecided", "open"],
      tolerances.map((row) => [
        String(row.tolerance),
        percent(row.failed),
        percent(row.inconclusive),
        percent(row.open),
      ]),
    ),
    "How well trust scores say what happens (ECE and Brier: of the rule before, of the rule now, and of the model's own probability):",
    ...streamTables(trust.streams),
    "Mean score of the same cases after 3,000 tasks that nobody judged, minus that before them:",
    textTable(
      ["model", "before", "now"],
      trust.unjudged.map(({ model, before, now }) => [model, signed(before), signed(now)]),
    ),
    "How well a low score tells cases of another subject from the model's own (AUROC):",
    textTable(
      ["model", "own probability", "trust"],
      trust.strange.map((row) => [row.model, row.probability.toFixed(3), row.trust.toFixed(3)]),
    ),
    "Against what is asked for:",
    judged([{ figure: "simulate", results, broken: null }], colour),
  ].join("\n\n");
}
