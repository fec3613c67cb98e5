import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  agents: {
    keeps: evidence("An archived agent keeps its row: its versions, its tasks and the log name it."),
    personal: {
      columns: ["owner", "draft", "archived_by", "draft_deciders"],
      erased: erasedWithRow("It names the members who decided what the agent does."),
    },
  },
});
