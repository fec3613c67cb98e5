import { type Static, Type } from "typebox";
import { Count, closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

const share = { maximum: 1 };

export const MonitorId = Type.String({ pattern: "^mon_[0-9a-hjkmnp-tv-z]{26}$", description: "`mon_…`" });
export const ReviewId = Type.String({ pattern: "^rev_[0-9a-hjkmnp-tv-z]{26}$", description: "`rev_…`" });

/** Defaults of a monitor. */
export const MONITOR_START = { share: 0.02, double_review_share: 0.1 } as const;

export const CreateMonitorBody = Type.Object(
  {
    agent: AgentName,
    skill: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "One skill of the agent; default: all." }),
    ),
    share: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        ...share,
        default: MONITOR_START.share,
        description: "The share of completed tasks that is drawn for review.",
      }),
    ),
    double_review_share: Type.Optional(
      Type.Number({
        minimum: 0,
        ...share,
        default: MONITOR_START.double_review_share,
        description: "The share of drawn tasks that two people judge, to measure agreement.",
      }),
    ),
  },
  closed,
);
export type CreateMonitorBody = Static<typeof CreateMonitorBody>;

export const Monitor = Type.Object(
  {
    monitor_id: MonitorId,
    agent: AgentName,
    skill: nullable(Type.String(), "Null: all skills of the agent."),
    share: Type.Number({ description: "The share of completed tasks that is drawn." }),
    double_review_share: Type.Number({ description: "The share of drawn tasks that two people judge." }),
    sampled: Count("Tasks drawn so far."),
    open: Count("How many of them are open."),
    accepted: nullable(
      Type.Number(),
      "The share of first verdicts that accepted the outcome; null before there is one.",
    ),
    agreement: Type.Object(
      {
        pairs: Count("Tasks that two people have judged."),
        share: nullable(Type.Number(), "The share of these on which they agreed; null before there is one."),
        kappa: nullable(
          Type.Number(),
          "Cohen's kappa: agreement beyond chance, at most 1; null if chance alone would always agree, or nothing is known.",
        ),
      },
      { description: "How far two reviewers agree." },
    ),
    ...stoppedMembers,
    created_by: Type.String({ description: "Who created it, by id." }),
    created_at: Time,
  },
  { description: "Draws a random share of an agent's completed tasks for people to judge." },
);
export type Monitor = Static<typeof Monitor>;

const Verdict = Type.Object({
  reviewer: Type.String({ description: "Who gave it, by id." }),
  accepted: Type.Boolean({ description: "Whether the outcome was right." }),
  comment: nullable(Type.String(), "What they said."),
  submitted_at: Time,
});

export const Review = Type.Object(
  {
    review_id: ReviewId,
    task_id: Type.String({ description: "The task that was sampled, `tsk_…`" }),
    agent: AgentName,
    skill: Type.String({ description: "The skill that was asked for." }),
    input: Type.Record(Type.String(), Type.Unknown(), { description: "What the task was given." }),
    output: nullable(Type.Record(Type.String(), Type.Unknown()), "The task's output; null if it was erased."),
    state: Type.Enum(["open", "judged"] as const, { description: "Whether it is open." }),
    verdicts_required: Type.Integer({ minimum: 1, description: "How many people are to judge it." }),
    verdicts_received: Count("How many have."),
    verdicts: Type.Array(Verdict, {
      description: "Empty while the review is open: reviewers do not see each other's.",
    }),
    sampled_at: Time,
  },
  {
    description:
      "A task that was drawn at random for people to judge. It shows neither trust score nor version, so that the verdict does not lean on them.",
  },
);
export type Review = Static<typeof Review>;

export const ReviewBody = Type.Object(
  {
    accepted: Type.Boolean({ description: "Whether the outcome was right." }),
    correction: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "What the output should have been. Training can learn from it.",
      }),
    ),
    comment: Type.Optional(Type.String({ maxLength: 2_000, description: "Why." })),
  },
  closed,
);

export const RemovedMonitor = Type.Object(
  { monitor_id: MonitorId, removed: Type.Literal(true) },
  { description: "The monitor is removed; the tasks that it drew stay in the queue." },
);
