import { exempt } from "../../../kernel/operation.ts";
import { erasedWithRow, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  gates: {
    keeps: untilRemoved("One row for each agent and environment; setting the gate replaces its rules."),
    personal: { columns: ["author"], erased: erasedWithRow("It names the member who set the gate.") },
  },
  gate_verdicts: {
    keeps: untilRemoved("Setting the gate deletes the verdicts by its earlier rules; the runs that they rest on stay."),
    personal: exempt("verdicts with their reasons: names and figures of datasets and scorers"),
  },
});
