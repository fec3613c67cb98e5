import type { Sweep } from "../../../kernel/machines.ts";
import { deleteOldQuestions } from "./question-store.ts";

/** Days for which questions are kept. */
export const KEPT_DAYS = 90;
/** Rows that one look deletes. */
const most = 1_000;

/** Deletes questions that are older than they are kept. */
export const questionSweep: Sweep = {
  name: "knowledge.questions",
  async run({ db, now }) {
    await deleteOldQuestions(db, new Date(now - KEPT_DAYS * 86_400_000), most);
  },
};
