import { isRunOver, type Plan, type RunStatus, runStatuses } from "@aos/workflow";
import { all, first, select } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { wakeRun } from "../../tasks/public.ts";
import { concurrencyFull } from "../errors.ts";
import { cancelRun } from "../steps/children.ts";
import { type RunRow, runJson } from "./rules.ts";

// `concurrency: { key, limit, when_full }`: how many runs of a workflow with the same key may be open. A run above the limit stays `queued`.

export const openStatuses: readonly RunStatus[] = runStatuses.filter((status) => !isRunOver(status));

type Keyed = Pick<RunRow, "workflow" | "concurrency_key">;

const together = (ctx: WriteContext, { workflow, concurrency_key }: Keyed) =>
  select(ctx, "workflow_runs", "r")
    .where("r.workflow", "=", workflow)
    .where("r.concurrency_key", "=", concurrency_key as string)
    .where("r.status", "in", openStatuses);

/** Applies the limit to a new run: nothing, a refusal, or the oldest runs are cancelled. */
export async function makeRoom(
  ctx: WriteContext,
  plan: Plan,
  { workflow, key }: { workflow: string; key: string | null },
): Promise<void> {
  const { limit = 0, when_full: whenFull = "queue" } = plan.definition.concurrency ?? {};
  if (key === null || whenFull === "queue") return;
  const { organization, environment } = ctx.scope;
  // Two starts at the same moment must not both be within the limit.
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `workflow concurrency ${JSON.stringify([organization, environment, workflow, key])}`,
  ]);
  const open = await all(
    ctx,
    together(ctx, { workflow, concurrency_key: key }).select(["r.id", "r.journal"]).orderBy("r.id"),
  );
  if (open.length < limit) return;
  if (whenFull === "reject")
    throw refuse(
      concurrencyFull,
      `${open.length} runs of ${workflow} with the key ${key} are open; its limit is ${limit}.`,
      {
        members: { runs: open.slice(0, 20).map(({ id }) => id) },
      },
    );
  const going = open.filter(({ journal }) => runJson({ journal }, "journal").asked === undefined);
  for (const { id } of going.slice(0, Math.max(0, going.length - limit + 1))) await cancelRun(ctx, id, false);
}

/** Serializes the decision which of these queued runs begin: two at the same moment would both take the last place. */
export async function lockQueues({ scope, db }: WriteContext, rows: readonly RunRow[]): Promise<void> {
  const queued = rows.filter(({ status, concurrency_key }) => status === "queued" && concurrency_key !== null);
  if (queued.length === 0) return;
  const { organization, environment } = scope;
  const names = queued.map((row) => JSON.stringify([organization, environment, row.workflow, row.concurrency_key]));
  await db.query(
    `select pg_advisory_xact_lock(hash) from (select distinct hashtextextended('workflow queue ' || name, 0) as hash
     from unnest($1::text[]) name order by 1) queues`,
    [names],
  );
}

/** Whether a queued run is within the limit, counting those that have begun and those before it in the queue. */
export async function mayBegin(ctx: WriteContext, plan: Plan, row: RunRow): Promise<boolean> {
  const { concurrency } = plan.definition;
  if (row.status !== "queued" || row.concurrency_key === null || !concurrency) return true;
  if (runJson(row, "journal").asked !== undefined) return true;
  const before = together(ctx, row)
    .where("r.id", "!=", row.id)
    .where((is) => is.or([is("r.status", "!=", "queued"), is("r.id", "<", row.id)]));
  const counted = await first(
    ctx,
    before.select(({ fn }) => fn.countAll<string>().as("open")),
  );
  return Number(counted?.open ?? 0) < concurrency.limit;
}

/** Wakes the run that has been queued longest, when another has ended or begun. */
export async function wakeQueued(ctx: WriteContext, row: Keyed & Pick<RunRow, "id">): Promise<void> {
  if (row.concurrency_key === null) return;
  const queued = together(ctx, row).select("r.id").where("r.status", "=", "queued").where("r.id", "!=", row.id);
  const next = await first(ctx, queued.orderBy("r.id").limit(1));
  if (next) ctx.enqueue(wakeRun(ctx.scope, next.id));
}
