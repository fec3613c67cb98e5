import { table as judged } from "../../server/bench/report.ts";
import type { Simulation } from "./run.ts";

/** A table of text: the first column to the left, the others to the right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  ").trimEnd(); // biome-ignore format: one chain
  return [line(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** All tables of a simulation, for people. */
export function simulationTables({ seed, configuration, gate, tolerances, trust, results }: Simulation, colour: boolean): string {
  return [
    `Seed ${seed}. Configuration: ${JSON.stringify(configuration)}`,
    "What each rule does with releases whose truth is known (stopped, before people, let through):",
    ...[...new Set(gate.map(({ release }) => release))].map((release) =>
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
    ),
    "Unchanged versions once repeats were added, by tolerance:",
    textTable(
      ["tolerance", "stopped", "undecided", "open"],
      tolerances.map((row) => [String(row.tolerance), percent(row.failed), percent(row.inconclusive), percent(row.open)]),
    ),
    "How well trust scores say what happens, per agent (ECE against true probabilities, 10 bins):",
    textTable(
      ["world", "labels", "ECE", "ECE, 90 % of agents", "ECE, all in one", "Brier", "calibrated"],
      trust.map((row) => [
        ...[row.world, String(row.labels), row.ece.toFixed(3), row.ece_p90.toFixed(3), row.ece_pooled.toFixed(3), row.brier.toFixed(4)],
        percent(row.adopted),
      ]),
    ),
    "Against what is asked for:",
    judged([{ figure: "simulate", results, broken: null }], colour),
  ].join("\n\n");
}
