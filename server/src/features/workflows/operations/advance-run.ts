import { advance, isRunOver, type RunStatus } from "@aos/workflow";
import { unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { lockQueues, mayBegin, wakeQueued } from "../concurrency.ts";
import { runCancelled, runCompensated, runCompleted, runFailed } from "../events.ts";
import type { KnownRun } from "../run-cache.ts";
import type { DecidersBySteps } from "../run-deciders.ts";
import { endRun } from "../run-end.ts";
import { findOutcomes, type Happened } from "../run-outcomes.ts";
import { lockRuns } from "../run-store.ts";
import { type Looked, writeLooks } from "../run-writes.ts";
import { type Arrived, arrivedEvents } from "../wait-store.ts";

export interface AdvanceRuns {
  readonly runs: readonly string[];
}

export interface AdvancedRuns {
  /** As they are once this is committed. */
  readonly known: readonly KnownRun[];
}

/** Looks at runs: takes what their steps came to, ends what is due, and begins what is ready. One commit, whatever that comes to. */
export const advanceRun: InsideOperation<AdvanceRuns, AdvancedRuns> = defineInside({
  id: "workflows.advanceRun",
  summary: "Advance runs of workflows",
  permission: exempt("a worker of the service itself"),
  load: exempt("the runs are read under their locks"),
  gate: exempt("decides what comes next; each call of an agent passes its own gate"),
  compliance: exempt("decides what comes next; each call of an agent is judged by itself"),
  audit: ({ params: { runs } }) => (runs.length === 1 ? `run:${runs[0]}` : "workflow_runs"),
  emits: [runCompleted, runFailed, runCompensated, runCancelled],
  async handle(ctx, { params }): Promise<AdvancedRuns> {
    const locked = await lockRuns(ctx, params.runs);
    await lockQueues(ctx, rowsOf(locked));
    const open: KnownRun[] = [];
    for (const one of locked)
      if (!isRunOver(one.row.status as RunStatus) && (await mayBegin(ctx, one.version.plan, one.row))) open.push(one);
    const ids = open.map(({ row }) => row.id);
    const [happened, arrived] = [await findOutcomes(ctx, ids), await arrivedEvents(ctx, ids)];
    const looks = open.flatMap(
      (before) => look(ctx, before, happened.get(before.row.id), arrived.get(before.row.id)) ?? [],
    );
    if (looks.length === 0) return { known: locked };
    const known = await writeLooks(ctx, looks);
    for (const one of known) if (isRunOver(one.state.status)) await endRun(ctx, one);
    for (const { before, next } of looks)
      if (isRunOver(next.state.status) || before.row.status === "queued") await wakeQueued(ctx, before.row);
    const changed = new Set(known.map(({ row }) => row.id));
    return { known: [...known, ...locked.filter(({ row }) => !changed.has(row.id))] };
  },
});

const rowsOf = (known: readonly KnownRun[]) => known.map(({ row }) => row);

/** What a run comes to; undefined where nothing changes. */
function look(
  ctx: WriteContext,
  before: KnownRun,
  happened: Happened | undefined,
  arrived: readonly Arrived[] = [],
): Looked | undefined {
  const outcomes = [...(happened?.outcomes ?? []), ...arrived.map(({ outcome }) => outcome)];
  const next = advance(before.version.plan, before.state, outcomes, ctx.now);
  const { wake_at } = before.row;
  const isSame = next.state.status === before.state.status && (wake_at?.getTime() ?? null) === next.wakeAt;
  if (isSame && next.changed.length === 0) return undefined;
  const changed = new Set(next.changed);
  const used = (happened?.used ?? []).filter(({ step }) => changed.has(step));
  const costUsd = used.reduce((sum, { usd }) => sum + usd, 0);
  const tokens = used.reduce((sum, one) => sum + one.tokens, 0);
  return { before, next, ended: decidersOfEnds(before, happened, arrived), costUsd, tokens };
}

/** Who decided what steps have come to. The first event ends a wait. */
function decidersOfEnds(
  { deciders }: KnownRun,
  happened: Happened | undefined,
  arrived: readonly Arrived[],
): DecidersBySteps {
  const events = arrived.toReversed().map(({ outcome: { step }, deciders: own }) => {
    return [step, unite(deciders.get(step), own)] as const;
  });
  return new Map([...events, ...(happened?.deciders ?? [])]);
}
