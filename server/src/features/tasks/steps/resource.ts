import { exempt } from "../../../kernel/operation.ts";
import { erasedWithWork, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { eraseRedactions } from "./redactions.ts";
import { eraseSteps } from "./store.ts";

export const owned = ownTables({
  steps: {
    keeps: evidence("Costs, trust and audit records rest on steps."),
    personal: {
      columns: ["input", "output", "failure", "asked", "action", "verdict"],
      erased: erasedWithWork(eraseSteps),
    },
  },
  task_redactions: {
    keeps: untilRemoved("Erasing the task deletes them; until then its retries need them."),
    personal: { columns: ["value"], erased: erasedWithWork(eraseRedactions) },
  },
  effects: {
    keeps: evidence("A write that was made is not repeated, however late its task is retried."),
    personal: exempt("keyed digests of calls, and names of tools"),
  },
});
