import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  workflow_versions: {
    keeps: evidence("Runs follow the version that they started with."),
    personal: {
      columns: ["definition", "source", "note", "author", "deciders"],
      erased: erasedWithRow("What a version says and who decided it is part of the proof of its runs."),
    },
  },
  workflow_releases: {
    keeps: evidence("Which version was live when, and who decided it."),
    personal: { columns: ["note", "author", "deciders"], erased: erasedWithRow("Who published, for the log.") },
  },
});
