import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";

const Failure = Type.Object({ code: Type.String(), detail: Type.String() });
export type Failure = Readonly<Static<typeof Failure>>;

export const TimelineEvent = Type.Object({
  sequence: Type.Integer({
    minimum: 1,
    description: "Its place among the task's events: 1, 2, 3 …, without a gap. The `id` of the event in the stream.",
  }),
  event_id: Type.String({ description: "`evt_…`." }),
  type: Type.String({ description: "`task.created`, …: one of the event types." }),
  time: Type.String({ format: "date-time", description: "When it was stored." }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: "The event's body, as subscribers get it." }),
});

export const TaskQuestion = Type.Object({
  kind: Type.Enum(["answer", "outcome", "results"], {
    description:
      "`answer`: the agent asked. `outcome`: whether a call took effect whose end nobody saw. `results`: those of `calls`, " +
      "which only the caller of the conversation can bring (`POST /v1/chat/conversations/{conversation}/results`).",
  }),
  text: Type.String({ description: "What is asked." }),
  options: nullable(Type.Array(Type.String(), { description: "The answers that it takes; null: any text." })),
  step_id: Type.String({ description: "The step that waits for the answer, `stp_…`." }),
  calls: Type.Optional(
    Type.Array(Type.Object({ step_id: Type.String(), tool: Type.String() }), {
      description: "Of `results`: the calls that were handed out.",
    }),
  ),
  asked_at: Time,
});

export const TaskInput = Type.Object(
  {
    answer: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: "The answer; where the question has options, one of them.",
    }),
    step_id: Type.Optional(
      Type.String({
        pattern: "^stp_",
        description:
          "The `step_id` of the question that is answered: refused where the task asks something else by now.",
      }),
    ),
  },
  closed,
);
export type TaskInput = Static<typeof TaskInput>;

export const TaskRetry = Type.Object(
  {
    from: Type.Optional(
      Type.Enum(["failed_step", "step", "start"], {
        description:
          "The step that failed, which is the default; the step that `step` names; or the start, as a run of its own.",
      }),
    ),
    step: Type.Optional(ordinal("Number of a step of the task's run; it and all later ones are made again.")),
    deadline: Type.Optional(
      nullable(
        Type.String({
          format: "date-time",
          description:
            "If it has not run by then, it expires; null: no deadline. Left out, it keeps the one that it has.",
        }),
      ),
    ),
  },
  closed,
);
export type TaskRetry = Static<typeof TaskRetry>;

export const Step = Type.Object({
  step_id: Type.String({ description: "`stp_…`." }),
  attempt: Type.Integer({ description: "The attempt at the task in which it was made, from 1." }),
  number: Type.Integer({ description: "Its place in the run, from 1. A repeated step is listed again." }),
  kind: Type.Enum(["model", "tool"]),
  name: Type.String({ description: "The model or the tool." }),
  state: Type.Enum(["started", "finished", "failed", "unknown"], {
    description:
      "`unknown`: it was broken off, got no clear answer or its worker was lost, and whether it had an effect is not known. `failure` says which, once that is known.",
  }),
  input: Type.Unknown({ description: "What it was given. What was replaced by a placeholder stays replaced." }),
  output: Type.Unknown({ description: "What it answered; null until then." }),
  failure: nullable(Failure),
  verdict: nullable(Type.String({ description: "What the policies said of it." })),
  edit_approval_id: nullable(
    Type.String({
      description:
        "The approval with whose arguments the call was made, because people edited it; null: it was made with `input`.",
    }),
  ),
  reused_from: nullable(
    Type.String({
      description:
        "The step of an earlier attempt whose result was reused: the task was retried, and the write was not repeated. Null: the step ran itself.",
    }),
  ),
  cost_usd: Type.Number(),
  tokens: Type.Integer(),
  started_at: Time,
  finished_at: nullable(Time),
});
export type Step = Static<typeof Step>;
