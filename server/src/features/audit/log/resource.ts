import { exempt } from "../../../kernel/operation.ts";
import { erasedBy, erasedWithWork, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { forgetWords } from "./words.ts";

export const owned = ownTables({
  audit_salts: {
    keeps: untilRemoved("Destroying the salt of a conversation or memory erases what the log says of it."),
    personal: { columns: ["salt"], erased: erasedBy("chat.eraseConversation") },
  },
  audit_words: {
    keeps: untilRemoved("It goes with the contents of its task."),
    personal: { columns: ["words"], erased: erasedWithWork(forgetWords) },
  },
  audit_word_places: {
    keeps: evidence("It says how far the index of words has come."),
    personal: exempt("numbers"),
  },
  audit_erasures: {
    keeps: evidence("It finds the record that explains a missing salt."),
    personal: exempt("ids"),
  },
});
