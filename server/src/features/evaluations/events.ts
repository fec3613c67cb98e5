import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";
import { DatasetName, RunId, RunVerdict } from "./schemas.ts";

const common = {
  run_id: RunId,
  agent: AgentName,
  version: Type.Integer({ minimum: 1, description: "The version that was measured." }),
  dataset: DatasetName,
};

export const evaluationCompleted = defineEvent({
  type: "evaluation.completed",
  summary:
    "A run of a dataset has ended. Where the agent's gate names its set, the event comes with the verdict, once runs over the gate's other sets have ended too.",
  schema: Type.Object({
    event: Type.Literal("evaluation.completed"),
    ...common,
    state: Type.Enum(["completed", "failed"] as const, { description: "`failed`: it could not be carried out." }),
    verdict: nullable(
      RunVerdict,
      "What the agent's gate drew from it; null: no gate names its set, or another of the gate's sets has no run that could be judged.",
    ),
    scores: Type.Record(Type.String(), Type.Number(), { description: "Mean score over the items, by scorer." }),
  }),
});

export const gateFailedEvent = defineEvent({
  type: "evaluation.gate_failed",
  summary: "A version has failed its evaluation gate in this environment.",
  schema: Type.Object({
    event: Type.Literal("evaluation.gate_failed"),
    ...common,
    reasons: Type.Array(Type.String(), { description: "Why, in sentences." }),
  }),
});
