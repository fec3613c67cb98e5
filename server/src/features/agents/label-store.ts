import type { WriteContext } from "../../kernel/context.ts";
import { replaceEvidence } from "./evidence-store.ts";

/** What people said of a task's outcome, beside the score that the task ended with. */
export interface LabelRow {
  readonly task_id: string;
  readonly agent: string;
  readonly version_id: string;
  readonly skill: string;
  /** Logits of the score before calibration. */
  readonly z: number;
  /** As it was published. */
  readonly score: number;
  /** Whether it was accepted, from 0 to 1. */
  readonly outcome: number;
}

/** Keeps the latest word on a task's outcome: as a label that scores are held against, and as evidence about its skill. The caller has locked the task. */
export async function recordLabel(ctx: WriteContext, label: LabelRow): Promise<void> {
  const { task_id, agent, version_id, skill, z, score, outcome } = label;
  await ctx.db.query(
    `insert into trust_labels (organization, environment, task_id, agent, version_id, skill, z, score, outcome, labelled_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (organization, environment, task_id) do update set version_id = excluded.version_id, skill = excluded.skill, z = excluded.z,
       score = excluded.score, outcome = excluded.outcome, labelled_at = excluded.labelled_at`,
    [ctx.scope.organization, ctx.scope.environment, task_id, agent, version_id, skill, z, score, outcome, new Date(ctx.now)],
  );
  await replaceEvidence(ctx, [{ version_id, skill, id: task_id, channel: "approvals", outcome, quality: 1 }]);
}
