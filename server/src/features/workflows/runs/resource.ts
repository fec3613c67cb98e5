import { erasedWith, erasedWithRow, evidence, ownTables, passing } from "../../../resources/tables.ts";

export const owned = ownTables({
  workflow_runs: {
    keeps: evidence("Costs, success rates and the audit log rest on runs."),
    personal: {
      columns: [
        "input",
        "output",
        "failure",
        "event",
        "journal",
        "intervention",
        "business_key",
        "concurrency_key",
        "labels",
        "principal",
        "actor",
        "input_deciders",
        "event_deciders",
        "output_deciders",
      ],
      erased: erasedWithRow("The audit record of a run commits to what it was given."),
    },
  },
  workflow_waits: {
    keeps: passing("Deleted when the step goes on, or the run ends."),
    personal: { columns: ["body", "deciders"], erased: erasedWith("workflow_runs") },
  },
  workflow_dead_letters: {
    keeps: evidence("Who settled which failed run."),
    personal: { columns: ["reason", "settled_by"], erased: erasedWith("workflow_runs") },
  },
});
