import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/principal.ts";
import { resultNotIntact } from "../../kernel/problems.ts";
import type { Seals } from "../../kernel/seals.ts";
import type { ScoresByItem } from "./measures.ts";
import { readScores } from "./result-store.ts";
import { keepRunSeal, type RunRow } from "./run-store.ts";

// What a run scored: the record of its end commits to it, and its row carries a seal.

const use = "evaluation run";

/** SHA-256, in hexadecimal, of the canonical JSON of how a run ended and what it scored, item by item and repeat by repeat. */
const digestOf = (run: string, state: string, scores: ScoresByItem): string =>
  hash("sha256", canonicalJson({ run_id: run, state, scores: Object.fromEntries(scores) }), "hex");

/** Seals what a run scored, in the call that ends it. Answers the digest to which the record of this call commits. */
export async function sealRun(
  ctx: WriteContext,
  run: string,
  state: "completed" | "failed",
  scores: ScoresByItem,
): Promise<string> {
  const digest = digestOf(run, state, scores);
  await keepRunSeal(ctx, run, { ref: ctx.auditRef, seal: ctx.seals.seal(use, ctx.scope, [run, digest, ctx.auditRef]) });
  return digest;
}

/** Seals the runs of a release that sealed none, once, right after the migration. Returns how many. */
export async function sealEarlierRuns(db: Reader, seals: Seals): Promise<number> {
  const runs = await db.query<Scope & { id: string; state: string }>(
    "select organization, environment, id, state from evaluation_runs where result_seal is null and state in ('completed', 'failed')",
  );
  for (const { id, state, ...scope } of runs) {
    const digest = digestOf(id, state, await readScores({ db, scope }, id));
    await db.query(
      "update evaluation_runs set result_seal = $4 where organization = $1 and environment = $2 and id = $3",
      [...[scope.organization, scope.environment, id], seals.seal(use, scope, [id, digest, null])],
    );
  }
  return runs.length;
}

/** Throws `result_not_intact` where a run has ended and what it scored is not what the service wrote. */
export function checkRun(
  { seals, scope }: Pick<CallContext, "seals" | "scope">,
  run: RunRow,
  scores: ScoresByItem,
): void {
  if (run.state !== "completed" && run.state !== "failed") return;
  const { id, result_ref, result_seal } = run;
  if (seals.holds(result_seal, use, scope, [id, digestOf(id, run.state, scores), result_ref])) return;
  const recorded = result_ref === null ? "" : ` as ${result_ref}`;
  const detail = `What ${id} scored is not what was recorded${recorded}: it was changed in the database. Restore it from a backup, or run the version over its set again.`;
  throw refuse(resultNotIntact, detail, { members: { run_id: id, result_ref } });
}
