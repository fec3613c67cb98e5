import { exempt } from "../../../kernel/operation.ts";
import { erasedBy, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  audit_salts: {
    keeps: untilRemoved("Destroying the salt of a conversation or memory erases what the log says of it."),
    personal: { columns: ["salt"], erased: erasedBy("chat.eraseConversation") },
  },
  audit_erasures: {
    keeps: evidence("It finds the record that explains a missing salt."),
    personal: exempt("ids"),
  },
});
