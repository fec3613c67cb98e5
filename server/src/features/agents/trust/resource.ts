import { exempt } from "../../../kernel/operation.ts";
import { erasedWithRow, evidence, ownTables, passing, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  trust_judgements: {
    keeps: evidence("Trust scores and canaries rest on each judged outcome."),
    personal: {
      columns: ["sticky"],
      erased: erasedWithRow("A keyed hash of whatever the caller keeps on one version; nothing leads back from it."),
    },
  },
  trust_fits: {
    keeps: untilRemoved("The next fit of a skill deletes those that were replaced over 400 days ago."),
    personal: exempt("numbers"),
  },
  trust_days: {
    keeps: evidence("The history of a score, one row for each day."),
    personal: exempt("scores and counts"),
  },
  trust_refits: {
    keeps: passing("Fitting the skill deletes the requests for it."),
    personal: exempt("names an agent and a skill"),
  },
  skill_prints: {
    keeps: evidence("Which versions' skills behave alike: judgements of one count for the others."),
    personal: exempt("digests"),
  },
});
