import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

const measured = erasedWithRow("The seal of a run commits to its results, and verdicts rest on them.");

export const owned = ownTables({
  evaluation_runs: {
    keeps: evidence("The verdict on a version rests on its runs."),
    personal: { columns: ["note", "principal", "actor", "failure", "fault"], erased: measured },
  },
  evaluation_results: {
    keeps: evidence("The figures of a run are sums over its results, and a scorer may be compared on them later."),
    personal: { columns: ["output", "failure"], erased: measured },
  },
});
