import { Type } from "typebox";
import type { WriteContext } from "../../kernel/context.ts";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";
import { readItems } from "./datasets/store.ts";
import { runFigures } from "./runs/measures.ts";
import { findRun, type RunRow, readScores, takeUnannounced } from "./runs/store.ts";
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
    "A run of a dataset has ended. If the agent's gate names the dataset, the event carries the verdict and is sent once runs over the gate's other datasets have ended too.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("evaluation.completed"),
    ...common,
    state: Type.Enum(["completed", "failed"] as const, { description: "`failed`: the run could not be finished." }),
    verdict: nullable(
      RunVerdict,
      "The verdict of the agent's gate. Null if no gate names the dataset, or if another of the gate's datasets has no run to judge.",
    ),
    scores: Type.Record(Type.String(), Type.Number(), { description: "Mean score over the items, by scorer." }),
  }),
});

export const gateFailedEvent = defineEvent({
  type: "evaluation.gate_failed",
  summary: "A version has failed its evaluation gate in this environment.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("evaluation.gate_failed"),
    ...common,
    reasons: Type.Array(Type.String(), { description: "Why it failed, as sentences." }),
  }),
});

/** Announces ended runs of a version that wait for nothing, or `only` one of them, with their verdicts: each once. */
export async function announceRuns(ctx: WriteContext, versionId: string, only: string | null = null): Promise<void> {
  for (const id of await takeUnannounced(ctx, versionId, only)) {
    const run = (await findRun(ctx, id)) as RunRow;
    const items = await readItems(ctx, run.dataset_id, run.dataset_version);
    const figures = runFigures(run.scorers, items, await readScores(ctx, id));
    ctx.emit(evaluationCompleted, {
      run_id: run.id,
      agent: run.agent,
      version: run.version_number,
      dataset: run.dataset_name,
      state: run.state === "failed" ? "failed" : "completed",
      verdict: run.verdict,
      scores: Object.fromEntries(figures.map(({ scorer, score }) => [scorer, score.mean])),
    });
  }
}
