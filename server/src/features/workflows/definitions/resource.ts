import { erasedWithRow, ownTables, passing, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  workflows: {
    keeps: untilRemoved("A workflow is archived, not deleted: its versions and runs name it."),
    personal: {
      columns: [
        "description",
        "draft",
        "source",
        "owner",
        "updated_by",
        "archived_by",
        "archived_for",
        "draft_deciders",
      ],
      erased: erasedWithRow("A draft says what agents do, and who decided it. Saving another draft replaces it."),
    },
  },
  workflow_pauses: {
    keeps: passing("Resuming the workflow deletes it."),
    personal: {
      columns: ["reason", "author"],
      erased: erasedWithRow("Who paused the workflow and why, until it is resumed."),
    },
  },
});
