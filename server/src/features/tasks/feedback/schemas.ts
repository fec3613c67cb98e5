import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";

const Rating = Type.Integer({ minimum: 1, maximum: 5, description: "1 useless, 5 just right." });
const Correction = Type.Record(Type.String(), Type.Unknown(), {
  description: "The output as it should have been, whole.",
});

export const FeedbackBody = Type.Object(
  {
    accepted: Type.Optional(Type.Boolean({ description: "Whether the outcome was taken as it is." })),
    rating: Type.Optional(Rating),
    correction: Type.Optional(Correction),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 4000, description: "Words for people." })),
    use_for_training: Type.Optional(
      Type.Boolean({
        description:
          "Whether training may learn from it: from the correction, or from an output that was accepted. Default true.",
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type FeedbackBody = Static<typeof FeedbackBody>;

export const TaskFeedback = Type.Object({
  feedback_id: Type.String({ description: "The audit record of the call that gave it, `aud_…`." }),
  task_id: Type.String(),
  accepted: nullable(Type.Boolean()),
  rating: nullable(Rating),
  correction: nullable(Correction),
  comment: nullable(Type.String()),
  outcome: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      "What it comes to: 1 the outcome was accepted, 0 it was not. A rating alone lies between, in steps of a quarter.",
  }),
  counts_for_trust: Type.Boolean({
    description:
      "Whether it is evidence for the agent's trust score. What is said later than 7 days after the end is not; the latest word on a task is.",
  }),
  counts_for_training: Type.Boolean({ description: "Whether training learns from it." }),
  submitted_by: Type.String({ description: "Who gave it, by id." }),
  submitted_at: Time,
});
export type TaskFeedback = Static<typeof TaskFeedback>;
