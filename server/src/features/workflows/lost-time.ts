import { nextWake, type RunState } from "@aos/workflow";
import { listWorkerGaps, lostMs, type WorkerGap } from "../../jobs/pools.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { KnownRun } from "./run-cache.ts";

/** These runs, with the time in which no worker lived where a time limit may be over. */
export async function withLostTime(ctx: WriteContext, runs: readonly KnownRun[]): Promise<readonly KnownRun[]> {
  const isDue = ({ version: { plan }, state }: KnownRun) => (nextWake(plan, state) ?? ctx.now + 1) <= ctx.now;
  const due = runs.filter(isDue);
  if (due.length === 0) return runs;
  const gaps = await listWorkerGaps(ctx.db, new Date(Math.min(...due.map(({ state }) => state.startedAt))));
  if (gaps.length === 0) return runs;
  return runs.map((one) =>
    isDue(one) ? { ...one, state: { ...one.state, lost: lostOf(one.state, gaps, ctx.now) } } : one,
  );
}

function lostOf(
  { startedAt, steps }: RunState,
  gaps: readonly WorkerGap[],
  now: number,
): NonNullable<RunState["lost"]> {
  const begun = [...steps].map(([id, step]) => [id, lostMs(gaps, step.startedAt ?? now, now)] as const);
  return { run: lostMs(gaps, startedAt, now), steps: Object.fromEntries(begun) };
}
