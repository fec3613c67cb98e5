import { exempt } from "../../../kernel/operation.ts";
import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

const learnt = erasedWithRow(
  "A version names the training that made it, by the examples and the model that came of them.",
);

export const owned = ownTables({
  training_jobs: {
    keeps: evidence("What a version learnt from, and how it did on the examples that were held out."),
    personal: {
      columns: ["request", "examples", "artifact", "report", "failure", "note", "principal", "actor", "fault"],
      erased: learnt,
    },
  },
  training_results: {
    keeps: evidence("The measures of a training are sums over them."),
    personal: exempt("scores and costs by the place of an example"),
  },
  skill_models: {
    keeps: evidence("A version runs the model that its digest names."),
    personal: { columns: ["artifact", "report"], erased: learnt },
  },
});
