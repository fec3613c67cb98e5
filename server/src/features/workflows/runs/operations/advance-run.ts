import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Advanced, callBudget, isRunOver, NeedsThread, type RunStatus } from "@aos/workflow";
import { unite } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { withLiveOutputs } from "../../definitions/known.ts";
import { runCancelled, runCompensated, runCompleted, runFailed } from "../../events.ts";
import { type Advancing, advanceHere } from "../../expression-work.ts";
import { type KnownRun, withLostTime } from "../cache.ts";
import { lockQueues, mayBegin, wakeQueued } from "../concurrency.ts";
import type { DecidersBySteps } from "../deciders.ts";
import { type Looked, writeLooks } from "../effects.ts";
import { endRun } from "../end.ts";
import { findOutcomes, type Happened } from "../outcome-store.ts";
import { lockRuns } from "../store.ts";
import { type Arrived, arrivedEvents } from "../wait-store.ts";

export interface AdvanceRuns {
  readonly runs: readonly string[];
  /** By run, what a thread has computed for an earlier look. It counts if nothing has happened since. */
  readonly computed?: ReadonlyMap<string, Computed>;
}

/** What a run's next state is computed from. */
export interface Computation extends Advancing {
  readonly revision: number;
}

export interface Computed {
  readonly of: Computation;
  readonly next: Advanced;
}

export interface AdvancedRuns {
  /** As they are once this is committed. */
  readonly known: readonly KnownRun[];
  /** By run, what a thread has to compute first; these were not changed. */
  readonly costly: ReadonlyMap<string, Computation>;
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
    const standing: KnownRun[] = [];
    for (const one of locked)
      if (!isRunOver(one.row.status as RunStatus) && (await mayBegin(ctx, one.version.plan, one.row)))
        standing.push(one);
    const open = await withLostTime(ctx, standing);
    const ids = open.map(({ row }) => row.id);
    const [happened, arrived] = [await findOutcomes(ctx, ids), await arrivedEvents(ctx, ids)];
    const costly = new Map<string, Computation>();
    const looks: Looked[] = [];
    for (const before of open) {
      const { id } = before.row;
      const [ended, events] = [happened.get(id), arrived.get(id) ?? []];
      const next = nextOf(computationOf(ctx, before, ended, events), params.computed?.get(id));
      if ("revision" in next) {
        costly.set(id, next);
        await setImmediate();
        continue;
      }
      const looked = look(before, ended, events, next);
      if (looked) looks.push(looked);
    }
    if (looks.length === 0) return { known: locked, costly };
    const known = await writeLooks(ctx, looks);
    for (const one of known) if (isRunOver(one.state.status)) await endRun(ctx, one);
    for (const { before, next } of looks)
      if (isRunOver(next.state.status) || before.row.status === "queued") await wakeQueued(ctx, before.row);
    const changed = new Set(known.map(({ row }) => row.id));
    return { known: [...known, ...locked.filter(({ row }) => !changed.has(row.id))], costly };
  },
});

const rowsOf = (known: readonly KnownRun[]) => known.map(({ row }) => row);

function computationOf(
  ctx: WriteContext,
  { row, version, state }: KnownRun,
  happened: Happened | undefined,
  arrived: readonly Arrived[],
): Computation {
  const outcomes = [...(happened?.outcomes ?? []), ...arrived.map(({ outcome }) => outcome)];
  return { revision: row.revision, plan: withLiveOutputs(ctx, version.plan), state, outcomes, now: ctx.now };
}

/** What a run does next; what is to be computed, if its expressions take too long for the transaction. */
function nextOf(given: Computation, computed: Computed | undefined): Advanced | Computation {
  if (computed && isSame(given, computed.of)) return computed.next;
  try {
    return advanceHere(given, callBudget());
  } catch (error) {
    if (!(error instanceof NeedsThread)) throw error;
    return given;
  }
}

const isSame = (a: Computation, b: Computation): boolean =>
  a.revision === b.revision && a.state.startedAt === b.state.startedAt && isDeepStrictEqual(a.outcomes, b.outcomes);

/** What a run comes to; undefined where nothing changes. */
function look(
  before: KnownRun,
  happened: Happened | undefined,
  arrived: readonly Arrived[],
  next: Advanced,
): Looked | undefined {
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
