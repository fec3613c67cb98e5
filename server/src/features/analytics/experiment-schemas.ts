import { type Static, Type } from "typebox";
import { nullable, Time } from "../../kernel/schema-words.ts";
import { CanaryRule, DeploymentOutcome, DeploymentState } from "../agents/schemas.ts";

// A part of schemas.ts, which it does not import.

const Share = Type.Object(
  {
    value: nullable(Type.Number(), "From 0 to 1; null: nothing to measure."),
    low: nullable(Type.Number(), "Lower end of the 95 % interval."),
    high: nullable(Type.Number(), "Upper end of the 95 % interval."),
    n: Type.Integer({ description: "Tasks that it is about." }),
  },
  { description: "A share with its 95 % interval; tasks with one sticky key count as one piece of evidence." },
);

export const ExperimentArm = Type.Object(
  {
    deployment_id: nullable(Type.String()),
    version: Type.Integer(),
    version_id: Type.String(),
    tasks: Type.Integer({ description: "Tasks that were drawn for it." }),
    open: Type.Integer({ description: "Those that have not ended." }),
    completed: Type.Integer(),
    failed: Type.Integer({ description: "Those that failed or that policies blocked." }),
    judged: Type.Integer({ description: "Those that people judged, by feedback, review or a decision on a call." }),
    accepted: Share,
    succeeded: Share,
    trust_mean: nullable(Type.Number(), "Mean trust score of its newest 5,000 ended tasks, and so with what follows."),
    cost_per_task: nullable(Type.Number(), "In US dollars."),
    duration_p50: nullable(Type.Number(), "Seconds from dispatch to end, median."),
    duration_p90: nullable(Type.Number(), "Seconds from dispatch to end, 90th percentile."),
  },
  { description: "One side: accepted outcomes among judged ones, and ended tasks that did not fail." },
);

export const ExperimentComparison = Type.Object(
  {
    difference: Type.Number({ description: "Canary minus live version, as shares." }),
    low: Type.Number({ description: "Lower end of the 95 % interval." }),
    high: Type.Number({ description: "Upper end of the 95 % interval." }),
    p_worse: Type.Number({ description: 'Of "it is no worse": small where it is worse.' }),
    p_holds: Type.Number({ description: 'Of "it is worse by the tolerance or more": small where it is not.' }),
    abort_at: Type.Number({ description: "The look aborts at a difference at or below this." }),
    promote_at: Type.Number({ description: "The look finds it no worse at a difference at or above this." }),
  },
  { description: "What a look found of one comparison, with its bounds." },
);

export const ExperimentVerdict = Type.Enum(["worse", "no_worse", "undecided"] as const, {
  description: "`worse`: aborted; `no_worse`: a drop by the tolerance is excluded; `undecided`: neither is shown yet.",
});

export const ExperimentLook = Type.Object(
  {
    look: Type.Integer({ description: "From 1." }),
    at: Time,
    judged: Type.Integer({
      description: "Tasks of the canary that people had judged by then, or that had failed where those are more.",
    }),
    quality: nullable(ExperimentComparison, "Accepted among judged tasks; null: too few."),
    failures: nullable(ExperimentComparison, "Ended tasks that did not fail; null: too few."),
    verdict: ExperimentVerdict,
    text: Type.String({ description: "Why, with the numbers." }),
  },
  { description: "One look at a canary." },
);

export const Experiment = Type.Object(
  {
    deployment_id: Type.String({ description: "The canary, `dep_…`." }),
    agent: Type.String(),
    state: DeploymentState,
    outcome: nullable(DeploymentOutcome, "Null: it runs."),
    reason: nullable(Type.String(), "Why it ended."),
    share: Type.Integer({ description: "Percent of new tasks that go to the canary, or went to it last." }),
    held: nullable(
      Type.String(),
      "The kill switch that stands against the canary's version alone: the live version takes all new tasks until it is released. Null: none.",
    ),
    rule: CanaryRule,
    started_at: Time,
    ended_at: nullable(Time),
    arms: Type.Object({ canary: ExperimentArm, stable: ExperimentArm }),
    looks: Type.Array(ExperimentLook, { description: "Those so far, in their order." }),
    judged: Type.Integer({
      description:
        "Tasks of the canary that people judged, or that failed where those are more: what looks are timed by.",
    }),
    outlook: Type.Object(
      {
        verdict: ExperimentVerdict,
        leads_to: Type.Enum(["promotion", "abort", "decision", "limit", "ended"] as const, {
          description:
            "`decision`: a person's, since its rule says `by_hand`; `limit`: what its rule says of a canary that is not decided.",
        }),
        needed: nullable(
          Type.Integer(),
          "Judged tasks of the canary that it will take; null: none, or it will not be decided.",
        ),
        next_look: nullable(Type.Integer(), "Judged tasks of the canary at the next look; null: it ended."),
        text: Type.String(),
      },
      { description: "Where it is heading if tasks go on as they did." },
    ),
    notes: Type.Array(Type.String(), { description: "What to bear in mind when comparing both sides." }),
  },
  { description: "A canary beside the live version, with confidence." },
);
export type Experiment = Static<typeof Experiment>;
