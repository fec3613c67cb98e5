import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { nullable } from "../../../kernel/schema-words.ts";

export const hookReceived = defineEvent({
  type: "hook.received",
  summary: "An inbound hook was called, with a signature that fits.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("hook.received"),
    hook: Type.String({ description: "The hook's name." }),
    type: nullable(
      Type.String(),
      "The type of event that the call publishes: the `type` of its body. Triggers and waits name it. Null: it has none.",
    ),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "The body's `data` where it has `type` and `data` as Standard Webhooks has them, else the whole body.",
    }),
  }),
});

export const runSignalled = defineEvent({
  type: "workflow.run.signalled",
  summary: "Somebody gave a run of a workflow an event that one of its steps waits for.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("workflow.run.signalled"),
    run_id: Type.String({ description: "`wfr_…`" }),
    workflow: Type.String({ description: "The workflow's name." }),
    type: Type.String({ description: "The type of event that the run was given." }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "The event's body." }),
  }),
});
