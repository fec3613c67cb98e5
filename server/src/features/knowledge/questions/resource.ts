import { erasedWithWork, keptFor, ownTables } from "../../../resources/tables.ts";
import { eraseQuestions } from "./store.ts";

export const owned = ownTables({
  knowledge_questions: {
    keeps: keptFor("90 days.", "knowledge.questions"),
    personal: { columns: ["query", "asked_by", "readers"], erased: erasedWithWork(eraseQuestions) },
  },
});
