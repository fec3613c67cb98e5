import { scorers } from "../resource.ts";

export const readScorer = scorers.readOperation({
  id: "evaluations.readScorer",
  summary: "Read a scorer",
  description: "The present version; its number is the ETag.",
});
