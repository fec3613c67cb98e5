import { erasedWith, evidence, ownTables } from "../../../resources/tables.ts";

const keeps = evidence("The run's outcome and costs rest on its steps.");

export const owned = ownTables({
  workflow_steps: {
    keeps,
    personal: {
      columns: ["action", "output", "failure", "undo_action", "refusal", "edited", "result", "deciders"],
      erased: erasedWith("workflow_runs"),
    },
  },
  workflow_items: {
    keeps,
    personal: { columns: ["item", "output", "failure", "deciders"], erased: erasedWith("workflow_runs") },
  },
  workflow_attempts: {
    keeps,
    personal: { columns: ["failure"], erased: erasedWith("workflow_runs") },
  },
});
