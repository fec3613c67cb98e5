import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";

const Span = Type.Object({
  span_id: Type.String({ description: "16 hexadecimal digits; the same whenever the trace is read." }),
  parent_span_id: nullable(Type.String(), "The span that it is a part of; null: the dispatch, which is the root."),
  name: Type.String({ description: "`dispatch sales`, `wait approval`, `chat builtin`, `execute_tool get_lead` …" }),
  kind: Type.Enum(["task", "queue", "approval", "attempt", "model", "tool"]),
  start: Time,
  end: nullable(Time, "Null: it is not over."),
  status: Type.Enum(["unset", "ok", "error"], { description: "As in OpenTelemetry." }),
  error: nullable(Type.String({ description: "The code of what failed." })),
  object: nullable(Type.String({ description: "The step `stp_…`, approval `apr_…` or task `tsk_…` that it shows." })),
  attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: "By OpenTelemetry's names for generative AI where it has one.",
  }),
});

export const TaskTrace = Type.Object({
  task_id: Type.String({ description: "The task's id, `tsk_…`." }),
  trace_id: Type.String({
    description:
      "32 hexadecimal digits. Where the service exports spans, the trace of the dispatch, under which its collector shows the same work.",
  }),
  exported: Type.Boolean({
    description: "Whether the dispatch was traced, so that a collector may have the trace too.",
  }),
  spans: Type.Array(Span, { description: "Parents before their parts, by start. At most 1,000." }),
  truncated: Type.Boolean({ description: "Whether there are more spans." }),
});
export type TaskTrace = Static<typeof TaskTrace>;
export type TaskSpan = Static<typeof Span>;
