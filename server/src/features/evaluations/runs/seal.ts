import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { all, update } from "../../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { resultNotIntact } from "../../../kernel/problems.ts";
import type { Seals } from "../../../kernel/seals.ts";
import type { ScoresByItem } from "./measures.ts";
import { noteOnRun, type RunRow, readScores } from "./store.ts";

// The record of a run's end commits to its scores, and its row carries a seal over them.

const use = "evaluation run";

/** SHA-256, in hexadecimal, of the canonical JSON of the run's end and its scores. */
const digestOf = (run: string, state: string, scores: ScoresByItem): string =>
  hash("sha256", canonicalJson({ run_id: run, state, scores: Object.fromEntries(scores) }), "hex");

/** Returns the digest that the record of the call commits to. */
export async function sealRun(
  ctx: WriteContext,
  run: string,
  state: "completed" | "failed",
  scores: ScoresByItem,
): Promise<string> {
  const digest = digestOf(run, state, scores);
  const result_seal = ctx.seals.seal(use, ctx.scope, [run, digest, ctx.auditRef]);
  await noteOnRun(ctx, run, { result_ref: ctx.auditRef, result_seal });
  return digest;
}

/** Seals runs of a release without seals, once, after the migration. Returns how many. */
export async function sealEarlierRuns(db: Reader, seals: Seals): Promise<number> {
  const runs = await db.query<Scope & { id: string; state: string }>(
    "select organization, environment, id, state from evaluation_runs where result_seal is null and state in ('completed', 'failed')",
  );
  for (const { id, state, ...scope } of runs) {
    const digest = digestOf(id, state, await readScores({ db, scope }, id));
    const sealed = update({ scope }, "evaluation_runs").set({
      result_seal: seals.seal(use, scope, [id, digest, null]),
    });
    await all({ db }, sealed.where("id", "=", id));
  }
  return runs.length;
}

/** Throws `result_not_intact` if the scores of an ended run were changed in the database. */
export function checkRun(
  { seals, scope }: Pick<CallContext, "seals" | "scope">,
  run: RunRow,
  scores: ScoresByItem,
): void {
  if (run.state !== "completed" && run.state !== "failed") return;
  const { id, result_ref, result_seal } = run;
  if (seals.holds(result_seal, use, scope, [id, digestOf(id, run.state, scores), result_ref])) return;
  const recorded = result_ref === null ? "" : ` as ${result_ref}`;
  const detail = `The scores of ${id} are not those that were recorded${recorded}: they were changed in the database. Restore them from a backup, or run the version over its dataset again.`;
  throw refuse(resultNotIntact, detail, { members: { run_id: id, result_ref } });
}
