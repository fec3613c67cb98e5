import { exampleBase, exampleDocument } from "../example.ts";
import type { KnowledgeGap, RetrievalTest } from "./schemas.ts";

const all = (value: number) => ({
  ndcg_at_10: value,
  recall_at_5: value,
  recall_at_10: value,
  recall_at_50: value,
  reciprocal_rank: value,
});
const none = { mean: 1, low: null, high: null };

export const exampleTest: RetrievalTest = {
  base_id: exampleBase.base_id,
  questions: 1,
  asked: 1,
  figures: [
    {
      mode: "words",
      figures: { ndcg_at_10: none, recall_at_5: none, recall_at_10: none, recall_at_50: none, reciprocal_rank: none },
    },
  ],
  difference: null,
  results: [{ index: 0, scores: [{ mode: "words", ...all(1) }], unknown: [] }],
  misses: [],
};

export const exampleGap: KnowledgeGap = {
  question: "Which leads make furniture?",
  asked: 12,
  wordings: ["Which leads make furniture?", "leads making furniture"],
  first_asked_at: "2026-11-18T09:00:00.000Z",
  last_asked_at: "2026-11-20T11:15:00.000Z",
  agents: ["sales"],
  by_people: true,
  resolved_at: null,
  best: {
    document_id: exampleDocument.document_id,
    external_id: exampleDocument.external_id,
    title: exampleDocument.title,
    text: "company: Amber Looms",
  },
};
