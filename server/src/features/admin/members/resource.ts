import { erasedBy, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  members: {
    keeps: evidence("Records, votes and versions name members by id, so that a member without a role keeps its row."),
    personal: { columns: ["name", "email", "invited_by"], erased: erasedBy("admin.setMember") },
  },
});
