import { exempt } from "../../../kernel/operation.ts";
import { erasedWithRow, evidence, ownTables, passing, untilRemoved } from "../../../resources/tables.ts";

const counts = exempt("numbers, and values by number");

export const owned = ownTables({
  analytics_blocks: { keeps: evidence("Figures are sums over them."), personal: counts },
  analytics_values: {
    keeps: evidence("What the numbers in blocks stand for."),
    personal: { columns: ["value"], erased: erasedWithRow("Names of agents and policies, ids, and declared labels.") },
  },
  analytics_facts: { keeps: evidence("What each task, approval and delivery adds to the figures."), personal: counts },
  analytics_pending: {
    keeps: passing("Deleted by the process that counts what has changed."),
    personal: exempt("kinds and ids"),
  },
  analytics_unmerged: { keeps: passing("Deleted when the parts of a bucket are merged."), personal: counts },
  analytics_rebuilds: {
    keeps: untilRemoved("One row for each environment: the last recount."),
    personal: { columns: ["requested_by"], erased: erasedWithRow("It names who asked for the recount.") },
  },
});
