import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";

export const BatchId = Type.String({ description: "The batch's id, `bat_…`, as its dispatch answered it." });

export const BatchState = Type.Object({
  batch_id: BatchId,
  tasks: Type.Integer({ description: "Those that were accepted. What was refused became no task." }),
  ended: Type.Integer({ description: "How many of them have ended." }),
  finished: Type.Boolean({ description: "Whether all have ended." }),
  by_status: Type.Record(Type.String(), Type.Integer(), {
    description: "Tasks by status; statuses that none has are left out.",
  }),
  cost_usd: Type.Number({ description: "Of all its tasks so far." }),
  tokens: Type.Integer({ description: "Of the models that they asked." }),
  created_at: Time,
  finished_at: nullable(Time, "When the last of them ended; null: not all have."),
});
export type BatchState = Static<typeof BatchState>;

export const CancelBody = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for people who read the tasks later." })) },
  closed,
);

const Item = Type.Object({
  index: Type.Integer({ description: "Its place in this answer, from 0." }),
  task_id: Type.String({ description: "The task, `tsk_…`." }),
  status: Type.Integer({ description: "As if it had been cancelled alone." }),
  body: Type.Unknown({ description: "The task, or the problem: it ended meanwhile, or a policy forbids it." }),
});

export const CancelledTasks = Type.Object({
  batch_id: Type.String({ description: "Of this call, `bat_…`: the records of its items name it." }),
  succeeded: Type.Integer({ description: "How many were cancelled." }),
  failed: Type.Integer({ description: "How many were not." }),
  results: Type.Array(Item),
});
export type CancelledTasks = Static<typeof CancelledTasks>;

export const TaskFilterBody = Type.Object(
  {
    agent: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 50 })),
    status: Type.Optional(
      Type.Array(Type.Enum(["queued", "awaiting_approval", "running", "input_required"]), {
        minItems: 1,
        maxItems: 4,
        description: "Default: all that have not ended.",
      }),
    ),
    task: Type.Optional(Type.String({ maxLength: 200, description: "The skill." })),
    label: Type.Optional(Type.String({ maxLength: 64 })),
    run: Type.Optional(Type.String({ maxLength: 64, description: "Of a workflow's run, `wfr_…`." })),
    risk: Type.Optional(Type.Array(Type.Enum(["low", "medium", "high", "critical"]), { minItems: 1, maxItems: 4 })),
    created_after: Type.Optional(Type.String({ format: "date-time", description: "From then on." })),
    created_before: Type.Optional(Type.String({ format: "date-time", description: "Before then." })),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: "Tasks for which all of this holds; the words are those of the list of tasks.",
  },
);
export type TaskFilterBody = Static<typeof TaskFilterBody>;

export const CancelTasksBody = Type.Object(
  {
    filter: TaskFilterBody,
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          "The number of tasks that you expect to cancel. Without it nothing is cancelled, and the answer says how many there are.",
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for people who read the tasks later." })),
  },
  closed,
);
export type CancelTasksBody = Static<typeof CancelTasksBody>;

export const CancelledByFilter = Type.Object({
  ...CancelledTasks.properties,
  matched: Type.Integer({ description: "Tasks that the filter finds now, counted up to 1,001." }),
});
