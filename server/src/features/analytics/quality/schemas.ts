import { type Static, type TSchema, Type } from "typebox";
import { Count, nullable, Time } from "../../../kernel/schema-words.ts";
import { CanaryRule, DeploymentOutcome, DeploymentState } from "../../agents/schemas.ts";
import { Breakdown, Figure, Point, windowHead } from "../figures/window-schemas.ts";

// Shapes of quality, drift and evaluations on the wire. A part of schemas.ts, which it does not import.

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
export const PValue = share("How often chance alone shows as much, at most.");

export const Interval = Type.Object(
  {
    value: Type.Number(),
    low: Type.Number({ description: "Lower end of the 95 % interval." }),
    high: Type.Number({ description: "Upper end of it." }),
    n: Count("How many things it is about."),
  },
  { description: "An estimate with its interval." },
);

export const figuresNamed = <N extends string>(...names: readonly N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Figure])) as Record<N, typeof Figure>);

export const NearbyChange = Type.Object(
  {
    kind: Type.Enum(["deployment", "policy", "dataset"] as const),
    at: Time,
    agent: nullable(Type.String(), "Null: not of one agent."),
    what: Type.String({ description: "What happened, in a sentence." }),
    link: nullable(Type.String(), "Where it can be read, a path of this interface."),
  },
  { description: "What happened about when a series changed. It stands near it in time, which makes it no cause." },
);
export type NearbyChange = Static<typeof NearbyChange>;

export const driftMeasures = ["accepted_rate", "success_rate", "trust_mean"] as const;
export const DriftMark = Type.Object(
  {
    measure: Type.Enum(driftMeasures),
    at: Type.String({ format: "date-time", description: "Beginning of the first window after the change." }),
    before: Interval,
    after: Interval,
    difference: Interval,
    worse: Type.Boolean({ description: "Whether it fell." }),
    p_value: PValue,
    nearby: Type.Array(NearbyChange, { description: "What happened in the two windows around it, at most ten." }),
  },
  { description: "Where the level of a series changed." },
);
export type DriftMark = Static<typeof DriftMark>;

export const DriftFinding = Type.Object(
  {
    method: Type.String({ description: "How changes are found, in a sentence." }),
    level: share("How often a series that does not change gets a mark, at most."),
    watched: Type.Array(
      Type.Object({
        measure: Type.Enum(driftMeasures),
        n: Count("Things in the series."),
        enough: Type.Boolean({ description: "False: too few to find anything." }),
      }),
    ),
    marks: Type.Array(DriftMark),
  },
  { description: "Changes of level in the series." },
);

export const EvaluationPoint = Type.Object(
  {
    run_id: Type.String({ description: "`run_…`" }),
    agent: Type.String(),
    skill: Type.String(),
    version: Type.Integer(),
    dataset: Type.String(),
    finished_at: Time,
    verdict: nullable(
      Type.Enum(["open", "failed", "inconclusive"] as const),
      "What the agent's gate drew from it; null: nothing.",
    ),
    scores: Type.Array(Type.Object({ scorer: Type.String(), score: Interval }), {
      description: "Mean over the items, each of them over its repeats.",
    }),
    link: Type.String({ description: "Where the run can be read, a path of this interface." }),
  },
  { description: "A run over a dataset with its scores." },
);
export type EvaluationPoint = Static<typeof EvaluationPoint>;

export const FeedbackFigures = Type.Object(
  {
    given: Count("Tasks that feedback was given to; of each, the latest counts."),
    accepted: Count("Of it, that accepted the outcome."),
    not_accepted: Count("Of it, that did not."),
    corrected: Count("Of it, that brought a correction."),
    rating: nullable(Type.Number(), "Mean of the ratings, from 1 to 5; null: nobody rated."),
    rated: Count("Ratings."),
  },
  { description: "What people said of outcomes in the window." },
);

export const QualityFigures = Type.Object(
  {
    ...windowHead,
    figures: figuresNamed("accepted_rate", "success_rate", "trust_mean", "trust_calibration_error", "judged"),
    series: Type.Array(Point, { description: "`accepted_rate`, `judged`, `success_rate`, `tasks` and `trust_mean`." }),
    drift: DriftFinding,
    agents: Type.Array(Breakdown, { description: "By agent, those with the most judged tasks first, at most 50." }),
    evaluations: Type.Array(EvaluationPoint, { description: "Finished runs of the window, newest first, at most 50." }),
    feedback: FeedbackFigures,
  },
  { description: "Whether what agents did was good." },
);

export const signKinds = ["quick", "never_changes", "approves_wrong", "same_time_for_risk"] as const;
export const FatigueSign = Type.Object(
  {
    sign: Type.Enum(signKinds, {
      description:
        "`quick`: approves within five seconds more often than others. `never_changes`: a run of approvals without an edit or a rejection, longer than others' shares explain. `approves_wrong`: what is approved is judged wrong later more often than of others. `same_time_for_risk`: high risk takes no longer than low risk.",
    }),
    text: Type.String({ description: "What was seen, in a sentence with its numbers." }),
    n: Count("Decisions that it is about."),
    observed: Type.Number(),
    expected: Type.Number({ description: "What others, or the rule, would lead to." }),
    test: Type.String({ description: "The test, by name." }),
    p_value: PValue,
    adjusted_p_value: share("After Holm over all signs of all approvers that were tested."),
  },
  { description: "A sign that decisions may be made without a look. It is no verdict: read the decisions." },
);
export type FatigueSign = Static<typeof FatigueSign>;

export const ApproverFigures = Type.Object(
  {
    approver: Type.String({ description: "`mbr_…`, or whoever else decided." }),
    name: Type.String({ description: "What they are called." }),
    decided: Count("Decisions of the window."),
    figures: figuresNamed(
      ...([
        "edit_rate",
        "override_rate",
        "quick_rate",
        "agreement",
        "time_to_decide_p50",
        "time_to_decide_p90",
      ] as const),
    ),
    enough: Type.Boolean({ description: "False: too few decisions to test for any sign." }),
    signs: Type.Array(FatigueSign, { description: "Those that chance hardly explains: adjusted p-value at most .05." }),
  },
  { description: "Decisions of one approver." },
);
export type ApproverFigures = Static<typeof ApproverFigures>;

const approvalMeasures = [
  "approvals",
  "decided",
  "time_to_decide_p50",
  "time_to_decide_p90",
  "edit_rate",
  "override_rate",
  "expiry_rate",
  "quick_rate",
  "agreement",
] as readonly ApprovalMeasure[];
type ApprovalMeasure =
  | "approvals"
  | "decided"
  | "time_to_decide_p50"
  | "time_to_decide_p90"
  | "edit_rate"
  | "override_rate"
  | "expiry_rate"
  | "quick_rate"
  | "agreement";

export const ApprovalFigures = Type.Object(
  {
    ...windowHead,
    figures: figuresNamed(...approvalMeasures),
    series: Type.Array(Point),
    by_risk: Type.Array(Breakdown),
    by_agent: Type.Array(Breakdown, { description: "At most 50." }),
    approvers: Type.Array(ApproverFigures, { description: "Those with the most decisions first, at most 50." }),
    tested: Type.Object(
      {
        decisions: Count("Decisions that were looked at one by one: the newest of the window, at most 20,000."),
        least: Count("Decisions of an approver below which none is tested."),
        questions: Count("Tests that p-values were adjusted for."),
      },
      { description: "What the signs rest on." },
    ),
  },
  { description: "How people decide what agents ask them." },
);

const Named = Type.Object({
  name: Type.String(),
  n: Count("How often."),
  link: nullable(Type.String(), "Where these are listed, a path of this interface."),
});
const blockMeasures = [
  ...(["violations", "blocked", "policy_denials", "pause_blocks", "kill_switch_blocks"] as const),
  ...(["gate_blocks", "budget_blocks"] as const),
] as const;
const Exposure = <T extends TSchema>(items: T, about: string) =>
  Type.Object({ n: Count(about), link: nullable(Type.String()), items });
const Held = Type.Object({ id: Type.String(), what: Type.String(), since: Time });

export const RiskFigures = Type.Object(
  {
    ...windowHead,
    figures: figuresNamed(...blockMeasures),
    near_misses: Type.Object(
      {
        rejected: Count("Approvals that people rejected or sent back: an action that would have run without them."),
        would_have: Count("What a policy in shadow would have blocked or put before people."),
        warned: Count("What a policy wanted noticed."),
        approved_wrong: Count("Approved actions whose task was judged wrong later."),
      },
      { description: "What nearly happened, or happened and should not have." },
    ),
    series: Type.Array(Point, { description: "By the name of the measure: violations, and what was blocked by what." }),
    reasons: Type.Array(Breakdown, { description: "By policy and reason, the most frequent first, at most 20." }),
    by_agent: Type.Array(Breakdown, { description: "At most 50." }),
    exposure: Type.Object(
      {
        open_high_risk: Exposure(Type.Array(Named), "Open tasks of high or critical risk now; by agent."),
        unknown_outcomes: Exposure(
          Type.Array(Held),
          "Writes whose outcome is not known, of tasks that are open; at most 20 are named.",
        ),
        kill_switches: Exposure(Type.Array(Held), "Kill switches that are engaged here; at most 20 are named."),
        pauses: Exposure(Type.Array(Held), "Agents that are paused here."),
        exceptions: Exposure(
          Type.Array(Held),
          "Live versions of agents with a gate that act without its open verdict, because the environment or the gate lets them; at most 20 are named.",
        ),
        steered: Exposure(
          Type.Array(Held),
          "Writes that wait for an approval because the run had read text that could have steered it; at most 20 are named.",
        ),
      },
      { description: "What can go wrong at this moment." },
    ),
  },
  { description: "What was blocked, what nearly happened, and what can go wrong now." },
);

export const KnowledgeFigures = Type.Object(
  {
    ...windowHead,
    questions: Count("Searches of the window, at most the newest 50,000 of each base."),
    hit_rate: nullable(Interval, "Answered well among them; null: nothing was asked."),
    series: Type.Array(Point, { description: "`questions` and `hit_rate`." }),
    bases: Type.Array(
      Type.Object({
        base_id: Type.String(),
        name: Type.String(),
        questions: Count("Searches of the window."),
        hit_rate: nullable(Interval),
        documents: Count("Documents that are indexed."),
        unused: Count("Of them, those that no search found in the window, and that are older than it."),
        stale: Count("Of them, those whose review is due."),
        links: Type.Object({ documents: Type.String(), gaps: Type.String(), stale: Type.String() }),
      }),
      { description: "Bases that the key sees, those asked most first, at most 100." },
    ),
    unused: Type.Array(
      Type.Object({
        document_id: Type.String(),
        base_id: Type.String(),
        title: Type.String(),
        last_retrieved_at: nullable(Time, "Null: never."),
        created_at: Time,
      }),
      { description: "Documents that nobody needed, the oldest first, at most 50." },
    ),
    gaps: Type.Array(
      Type.Object({
        base_id: Type.String(),
        question: Type.String({ description: "The latest wording; personal data stands as placeholders." }),
        asked: Count("Searches in these words."),
        last_asked_at: Time,
        agents: Type.Array(Type.String()),
        link: Type.String({ description: "The base's list of gaps, which groups all wordings." }),
      }),
      { description: "What was asked most without a good answer, at most 20." },
    ),
  },
  { description: "Whether knowledge bases have what is asked of them." },
);

export const anomalyKinds = ["cost", "steps_per_task", "volume", "failures", "silence"] as const;
export const Anomaly = Type.Object(
  {
    kind: Type.Enum(anomalyKinds, {
      description:
        "`cost`: unusually much was spent. `steps_per_task`: tasks take unusually many steps, as in a loop. `volume`: unusually many tasks. `failures`: unusually many failed. `silence`: no tasks where there usually are some.",
    }),
    agent: Type.String(),
    from: Time,
    to: Time,
    observed: Type.Number(),
    expected: Type.Number({ description: "The median of the same hours of earlier weeks." }),
    low: Type.Number({ description: "Lower end of what is usual: 95 % of such hours lie above." }),
    high: Type.Number({ description: "Upper end of what is usual." }),
    n: Count("Earlier hours that it was compared with."),
    p_value: PValue,
    text: Type.String({ description: "What is unusual, in a sentence." }),
    link: nullable(Type.String(), "The tasks of the time, a path of this interface."),
  },
  { description: "An hour, or a run of hours, unlike the same hours of earlier weeks." },
);
export type Anomaly = Static<typeof Anomaly>;

export const AnomalyFigures = Type.Object(
  {
    ...windowHead,
    method: Type.String({ description: "How anomalies are found, in a sentence." }),
    level: share("In how many answers of usual hours one stands that is none, at most."),
    hours: Count("Hours that were looked at, of all agents and kinds."),
    agents: Type.Array(
      Type.Object({
        agent: Type.String(),
        weeks: Count("Earlier weeks with tasks."),
        enough: Type.Boolean({ description: "False: too few weeks to say what is usual." }),
      }),
    ),
    anomalies: Type.Array(Anomaly, { description: "The rarest first, at most 100." }),
  },
  { description: "What is unlike the same hours of earlier weeks." },
);

export const RealtimeFigures = Type.Object(
  {
    as_of: Time,
    states: Type.Array(
      Type.Object({
        status: Type.Enum(["queued", "running", "awaiting_approval", "input_required"] as const),
        n: Count("Open tasks in this state."),
        oldest_at: nullable(Time, "When the oldest of them was dispatched; null: there is none."),
        link: Type.String({ description: "Where these tasks are listed, a path of this interface." }),
      }),
    ),
    agents: Type.Array(
      Type.Object({
        agent: Type.String(),
        queued: Count("Tasks that wait for a worker."),
        running: Count("Tasks that run."),
        awaiting_approval: Count("Tasks that wait for an approval."),
        input_required: Count("Tasks that wait for an answer."),
        oldest_at: Time,
      }),
      { description: "Agents with open tasks, those with the most first, at most 100." },
    ),
    workers: Type.Object(
      {
        busy: Count("Workers that hold a task now."),
        tasks: Count("Tasks that they hold."),
        lapsed: Count("Tasks whose worker has not been heard of in time; they are taken up again."),
      },
      { description: "Processes that run tasks of this environment." },
    ),
    minutes: Type.Array(
      Type.Object({
        from: Time,
        tasks: Count("Dispatched."),
        completed: Count("Of them, completed by now."),
        failed: Count("Of them, failed by now."),
      }),
      { description: "The last 15 minutes, the present one last." },
    ),
    more: Type.Boolean({ description: "True: more than 10,000 tasks are open, and states and agents tell of these." }),
  },
  { description: "What runs now." },
);

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
