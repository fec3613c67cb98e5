import { runStatuses, stepKinds, stepStatuses } from "@aos/workflow";
import { type Static, Type } from "typebox";
import { HeldBy } from "../../../kernel/hold.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";

const StepName = Type.String({ pattern: "^[a-z][a-z0-9_]{0,63}$", description: "A step's id, as in the file." });
const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true });
const Values = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const Failure = nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed.");

export const WorkflowRunId = Type.String({ description: "The run's id, `wfr_…`." });
export const WorkflowRunStatus = Type.Enum(runStatuses, { description: "The state of the run." });
export const WorkflowRunTrigger = Type.Enum(
  ["manual", "schedule", "event", "hook", "workflow", "mission", "retry"] as const,
  {
    description: "What started it.",
  },
);

const Progress = Type.Object({
  steps: Count("Steps of the version."),
  completed: Count("Completed or skipped."),
  failed: Count("Failed, rejected, or with an unknown outcome."),
  running: Count("Running."),
  waiting: Count("Waiting for a time, an event or people."),
});

const runMembers = {
  run_id: WorkflowRunId,
  workflow: Type.String({ description: "The workflow's name." }),
  version: ordinal("The version that it runs; a later one does not change it."),
  status: WorkflowRunStatus,
  asked: nullable(
    Type.Enum(["pause", "cancel", "cancel_and_compensate", "compensate"] as const),
    "What somebody asked of it and has not come to its end.",
  ),
  intervention: nullable(
    Type.Object({
      action: Type.String({ description: "As in the control of a run, or `compensate`." }),
      by: Type.String({ description: "By id." }),
      at: Time,
      reason: nullable(Type.String()),
    }),
    "What somebody did with it last.",
  ),
  input: Type.Unknown({ description: "What it was started with." }),
  output: Type.Unknown({ description: "What it came to; null until it has completed." }),
  failure: Failure,
  held_by: HeldBy,
  trigger: WorkflowRunTrigger,
  trigger_id: nullable(Type.String(), "The trigger that fired, `wtr_…`; of a replayed run, the run that it repeats."),
  business_key: nullable(Type.String(), "No other run of the workflow with this key is open."),
  concurrency_key: nullable(Type.String(), "Runs with this key count together against the workflow's `concurrency`."),
  parent: nullable(Type.Object({ run_id: WorkflowRunId, step: StepName }), "The run and the step that started it."),
  mission: nullable(Type.String(), "The mission that it works for, `msn_…`."),
  progress: Progress,
  cost_usd: Type.Number({ minimum: 0, description: "What its steps cost so far." }),
  tokens: Count("Tokens of its steps so far."),
  labels: Labels,
  started_by: Type.String({ description: "Whose permissions it has, by id." }),
  audit_ref: Type.String({ description: "The audit record of its start, `aud_…`." }),
  created_at: Time,
  started_at: nullable(Time, "Null while it is queued."),
  finished_at: nullable(Time),
};

export const WorkflowRun = Type.Object(runMembers);
export type WorkflowRun = Static<typeof WorkflowRun>;

const Attempt = Type.Object({
  attempt: ordinal("From 1."),
  status: Type.String({ description: "How it ended." }),
  task_id: nullable(Type.String(), "The task that did it."),
  child_run: nullable(Type.String()),
  failure: Failure,
  started_at: nullable(Time),
  finished_at: nullable(Time),
});

export const WorkflowRunStep = Type.Object({
  step: StepName,
  kind: Type.Enum(stepKinds),
  status: Type.Enum(stepStatuses, { description: "The state of the step." }),
  attempt: Count("The attempt under way, or the last one; 0: it has not begun."),
  action: Type.Unknown({
    description: "What it called, with its expressions resolved; null: nothing outside, or not begun.",
  }),
  output: Type.Unknown({ description: "What it came to; null: nothing yet." }),
  failure: Failure,
  task_id: nullable(Type.String(), "The task that carries it out, `tsk_…`."),
  child_run: nullable(Type.String(), "The run of another workflow that carries it out, `wfr_…`."),
  trust_score: nullable(Type.Number()),
  trust_low: nullable(Type.Number({ description: "Lower bound of the trust score." })),
  cost_usd: nullable(Type.Number()),
  undo: nullable(Type.Enum(["running", "done", "failed"] as const), "How far its compensation is."),
  undo_task: nullable(Type.String(), "The task that undoes it."),
  started_at: nullable(Time),
  finished_at: nullable(Time),
  wake_at: nullable(Time, "When it continues: the end of a wait, a time limit, the next attempt."),
  held_by: HeldBy,
  items: Type.Optional(
    Type.Object(
      { total: Count("Of the list."), completed: Count("So far."), failed: Count("So far."), running: Count("Now.") },
      { description: "Of a loop: how far its items are." },
    ),
  ),
  attempts: Type.Optional(Type.Array(Attempt, { description: "Attempts before this one, oldest first." })),
});
export type WorkflowRunStep = Static<typeof WorkflowRunStep>;

export const WorkflowRunDetail = Type.Object({
  ...runMembers,
  steps: Type.Array(WorkflowRunStep, {
    description: "In the order of the file, 500 at most; those of branches behind theirs.",
  }),
  steps_after: nullable(Type.String(), "There are more steps: read again with `steps_after` set to this."),
});
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>;

export const StartWorkflowRunBody = Type.Object(
  {
    input: Type.Optional(Values("The run's input, which has to fit the workflow's `input` schema. Default `{}`.")),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The business key, for a workflow whose file has no `key`: refused while a run with it is open.",
      }),
    ),
    labels: Type.Optional(Labels),
  },
  closed,
);
export type StartWorkflowRunBody = Static<typeof StartWorkflowRunBody>;

const Reason = Type.Optional(Type.String({ maxLength: 2000, description: "Why, for the record." }));

export const runActions = ["cancel", "pause", "resume", "retry_from", "skip", "migrate", "replay", "settle"] as const;

export const WorkflowRunControl = Type.Object(
  {
    action: Type.Enum(runActions, {
      description:
        "`cancel` ends the run. `pause` begins no further step, and `resume` goes on. `retry_from` does a step again with what comes after it, and what else did not " +
        "complete. `skip` goes on without a step. `migrate` moves a run that is queued, waiting or paused to another version. `replay` starts a new run with the same " +
        "input on the live version. `settle` takes the run off the dead letters.",
    }),
    step: Type.Optional(
      Type.String({
        pattern: "^[a-z][a-z0-9_]{0,63}$",
        description: "Of `skip`: the step. Of `retry_from`: from which step; default: what did not complete.",
      }),
    ),
    compensate: Type.Optional(
      Type.Boolean({ description: "Of `cancel`: undo completed steps in reverse order. Default false." }),
    ),
    input: Type.Optional(
      Values("Of `retry_from`: members of the step's input, or of its tool's arguments, in place of its own."),
    ),
    acknowledge: Type.Optional(
      Type.Array(StepName, {
        maxItems: 200,
        uniqueItems: true,
        description:
          "Of `retry_from`: steps that have written and may do so again. Needed where steps that completed are done again, or with other input. What did not complete and is " +
          "done again as it was goes on with what it has written. Of `replay`: steps whose writes are in doubt and may be made twice.",
      }),
    ),
    output: Type.Optional(Values("Of `skip`: what later steps see as the step's output.")),
    version: Type.Optional(ordinal("Of `migrate`: the version. Default: the one that is live.")),
    preview: Type.Optional(
      Type.Boolean({
        description: "Of `retry_from`, `skip` and `migrate`: answer what would change, and change nothing.",
      }),
    ),
    reason: Reason,
  },
  closed,
);
export type WorkflowRunControl = Static<typeof WorkflowRunControl>;

export const ControlledWorkflowRun = Type.Object({
  ...runMembers,
  changes: Type.Array(
    Type.Object({
      step: StepName,
      change: Type.Enum(["run_again", "skipped", "added", "removed", "changed"] as const, {
        description: "`added`, `removed`, `changed`: by a migration, against the version before.",
      }),
      writes: Type.Optional(
        Type.Boolean({
          description: "Of a preview: the step has written, and is done again only if `acknowledge` names it.",
        }),
      ),
    }),
    { description: "Steps that it concerns, in the order of the file." },
  ),
});
export type ControlledWorkflowRun = Static<typeof ControlledWorkflowRun>;

export const WorkflowDeadLetter = Type.Object({
  run_id: WorkflowRunId,
  workflow: Type.String(),
  version: ordinal("The version that it ran."),
  status: WorkflowRunStatus,
  reason: Type.String({ description: "Why it gave up." }),
  failure: Failure,
  at: Time,
  settled_at: nullable(Time, "Null: nobody has retried or settled it."),
  settled_by: nullable(Type.String()),
});
export type WorkflowDeadLetter = Static<typeof WorkflowDeadLetter>;

export const BulkWorkflowRunsBody = Type.Object(
  {
    action: Type.Enum(["cancel", "retry", "replay"] as const, {
      description: "`retry`: what did not complete, in the same run. `replay`: a new run with the same input.",
    }),
    runs: Type.Array(WorkflowRunId, { minItems: 1, maxItems: 500, uniqueItems: true }),
    compensate: Type.Optional(Type.Boolean({ description: "Of `cancel`: undo completed steps as well." })),
    reason: Reason,
  },
  closed,
);
export type BulkWorkflowRunsBody = Static<typeof BulkWorkflowRunsBody>;

export const BulkWorkflowRunsResult = Type.Object({
  results: Type.Array(
    Type.Object({
      run_id: Type.String({ description: "As it was given." }),
      status: Type.Integer({ description: "The HTTP status that the call alone would have answered." }),
      audit_ref: Type.String(),
      run: Type.Optional(ControlledWorkflowRun),
      problem: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Why it was refused." })),
    }),
    { description: "In the order of the call." },
  ),
  succeeded: Count("How many were done."),
  failed: Count("How many were refused."),
});
export type BulkWorkflowRunsResult = Static<typeof BulkWorkflowRunsResult>;

export const WorkflowRunEvent = Type.Object({
  sequence: Type.Integer({
    minimum: 0,
    description: "Its place in the run: later ones are greater. The `id` of the event in the stream.",
  }),
  type: Type.Enum(["run", "step"] as const, { description: "Whether the run as a whole changed, or a step." }),
  time: Time,
  data: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "Of a step: `step`, `kind`, `status`, `attempt`, `task_id`, `child_run`, `failure`, `trust_score`, `cost_usd`, `undo`, `started_at`, `finished_at`. " +
      "Of the run: `run_id`, `status`, `asked`, `failure`, `cost_usd`, `finished_at`.",
  }),
});
export type WorkflowRunEvent = Static<typeof WorkflowRunEvent>;
