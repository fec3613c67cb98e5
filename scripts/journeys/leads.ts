import type { Row } from "./csv.ts";
import type { Case, Journey } from "./definition.ts";
import { commonResults, held } from "./figures.ts";

/** The lead's id, and what became of it: 1 or 0. All other columns are the lead's record. */
const ID = "lead_id";
const OUTCOME = "Converted";

/** `npm run journey:leads`: records of leads with their outcome. */
export const leads: Journey = {
  name: "leads",
  about:
    "Makes an agent that foretells which leads become customers: from records and their known outcomes to judged tasks.",
  columns: [ID, OUTCOME],
  tasks: 1200,
  cases: leadCases,
  file: new URL("./leads.yaml", import.meta.url),
  field: "converted",
  floor: 0.8,
  results(figures) {
    const { all } = figures;
    const own = [
      {
        what: "model's probability: AUC",
        value: all.auc ?? Number.NaN,
        unit: "",
        ...held([0.975, 0.985]),
        better: "higher",
      },
      {
        what: "model's probability: Brier",
        value: all.brier ?? Number.NaN,
        unit: "",
        ...held([0.055, 0.042]),
        better: "lower",
      },
    ] as const;
    return [...commonResults(figures, { ece: [0.05, 0.02], rate: [150, 500] }), ...own];
  },
};

/** The cases of the rows: the outcome is what is to be foretold, and no part of the record. */
export function leadCases(rows: readonly Row[]): Case[] {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== ID && column !== OUTCOME);
  const numeric = new Set(columns.filter((column) => rows.every((row) => row[column] === "" || isNumber(row[column]))));
  return rows.map((row) => {
    const given = columns.filter((column) => row[column] !== "");
    const fields = Object.fromEntries(
      given.map((column) => [column, numeric.has(column) ? Number(row[column]) : row[column]]),
    );
    const id = row[ID] as string;
    return { input: { lead_id: id }, output: { converted: row[OUTCOME] === "1" }, record: { external_id: id, fields } };
  });
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^-?\d+(\.\d+)?$/.test(text);
