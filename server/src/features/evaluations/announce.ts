import type { WriteContext } from "../../kernel/context.ts";
import { readItems } from "./dataset-store.ts";
import { evaluationCompleted } from "./events.ts";
import { runFigures } from "./measures.ts";
import { readScores } from "./result-store.ts";
import { findRun, type RunRow, takeUnannounced } from "./run-store.ts";

/** Tells subscribers of the runs of a version that have ended and wait for nothing, or of `only` one of them: of each once, with what the gate drew from it. */
export async function announceRuns(ctx: WriteContext, versionId: string, only: string | null = null): Promise<void> {
  for (const id of await takeUnannounced(ctx, versionId, only)) await announce(ctx, id);
}

async function announce(ctx: WriteContext, id: string): Promise<void> {
  const run = (await findRun(ctx, id)) as RunRow;
  const items = await readItems(ctx.db, ctx.scope.organization, run.dataset_id, run.dataset_version);
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
