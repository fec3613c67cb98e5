import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  kill_switches: {
    keeps: evidence("It shows who stopped what, and who released it."),
    personal: {
      columns: [
        "reason",
        "engaged_by",
        "release_reason",
        "release_requested_by",
        "release_requested_accountable",
        "release_requested_email",
        "released_by",
      ],
      erased: erasedWithRow("Four eyes are proved by the people that it names."),
    },
  },
});
