import { type Static, Type } from "typebox";
import { Time } from "../../../kernel/schema-words.ts";

const Scored = Type.Object({
  score: Type.Number({ description: "The probability that a reviewer would accept the outcome." }),
  low: Type.Number({ description: "10 % quantile." }),
  high: Type.Number({ description: "90 % quantile." }),
});

export const TaskTrust = Type.Object({
  task_id: Type.String({ description: "The task's id, `tsk_…`." }),
  ...Scored.properties,
  log_odds: Type.Number({ description: "z, the sum of the parts; score = 1 / (1 + e^−z)." }),
  parts: Type.Array(
    Type.Object({
      name: Type.String(),
      adds: Type.Number({ description: "What it adds to z." }),
      score_without: Type.Number({ description: "What the score would be without this part." }),
    }),
    { description: "The parts of z, those that moved the score most first." },
  ),
  case: Type.Record(Type.String(), Type.Unknown(), { description: "What was known of the case." }),
  digest: Type.String({ description: "SHA-256 of the inputs, by which the score can be recomputed." }),
  scored: Type.Enum(["at_start", "at_end"], {
    description: "Whether it was computed for the typical case of the skill, or for this one once it had ended.",
  }),
  skill_now: Type.Object(Scored.properties, {
    description: "What a task of the same skill and version starts with now, by the evidence that came since.",
  }),
  judgements: Type.Array(
    Type.Object({
      source: Type.Enum(["approval", "run", "feedback", "review"]),
      outcome: Type.Number({ description: "1: accepted, 0: not; between: corrected in part." }),
      judged_at: Time,
    }),
    { description: "How this task itself was judged, as evidence for later scores; none: nobody has judged it." },
  ),
});
export type TaskTrust = Static<typeof TaskTrust>;
