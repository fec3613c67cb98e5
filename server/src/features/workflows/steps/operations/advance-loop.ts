import type { PlannedStep } from "@aos/workflow";
import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { taskCancelled, wakeRun } from "../../../tasks/public.ts";
import { besidesActor } from "../../runs/deciders.ts";
import type { RunRow } from "../../runs/rules.ts";
import { readRun } from "../../runs/store.ts";
import {
  beginItems,
  endItems,
  type LoopAt,
  lockLoop,
  type RunningItem,
  resultOf,
  runningItems,
  writeLoop,
} from "../item-store.ts";
import { cancelOutside } from "./cancel-step.ts";

export interface AdvancedLoop {
  /** Positions of items to start. */
  readonly start: readonly number[];
}

/** Advances a loop: takes the results of items, and begins the next ones, as many as run at once. It locks only those. */
export const advanceLoop: InsideOperation<LoopAt, AdvancedLoop> = defineInside({
  id: "workflows.advanceLoop",
  summary: "Advance a loop of a workflow",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { run }: LoopAt) => readRun(ctx, run),
  gate: exempt("decides what comes next; each call of an agent passes its own gate"),
  compliance: exempt("decides what comes next; each call of an agent is judged by itself"),
  audit: ({ params }) => `run:${params.run}`,
  emits: [taskCancelled],
  async handle(ctx, { params: { run, step, attempt }, loaded }): Promise<AdvancedLoop> {
    const at = { run, step, attempt };
    const planned = loaded.version.plan.byId.get(step);
    const loop = planned && (await lockLoop(ctx, at));
    if (!loop) return { start: [] };
    const before = loaded.state.steps.get(step)?.before ?? 0;
    return look(ctx, { at, run: loaded.row, planned, loop, tries: attempt - before });
  },
});

interface Loop {
  readonly at: LoopAt;
  readonly run: RunRow;
  readonly planned: PlannedStep;
  readonly loop: NonNullable<Awaited<ReturnType<typeof lockLoop>>>;
  readonly tries: number;
}

const isEnded = (item: RunningItem): item is RunningItem & { readonly end: NonNullable<RunningItem["end"]> } =>
  item.end !== null;

async function look(ctx: WriteContext, { at, run, planned, loop, tries }: Loop): Promise<AdvancedLoop> {
  const items = await runningItems(ctx, at);
  const ended = items.filter(isEnded);
  const completed = loop.items_completed + ended.filter(({ end }) => end.status === "completed").length;
  const failed = loop.items_failed + ended.filter(({ end }) => end.status !== "completed").length;
  const costUsd = loop.items_cost_usd + ended.reduce((sum, { end }) => sum + (end.costUsd ?? 0), 0);
  const { parallel = 1, on_error = "fail" } = planned.step.for_each ?? {};
  const stops = loop.taken_back || (on_error === "fail" && failed > 0);
  const running = items.filter(({ end }) => end === null);
  const open = stops ? await stopItems(ctx, run, at, running) : running;
  await endItems(
    ctx,
    at,
    ended.map((item) => ({ ...item, deciders: besidesActor(run, item.deciders) })),
  );
  const begun = stops ? [] : await beginItems(ctx, at, loop.items_begun, parallel - open.length);
  const counts = { begun: (begun.at(-1) ?? loop.items_begun - 1) + 1, completed, failed, costUsd };
  const isOver = open.length === 0 && begun.length === 0;
  const total = loop.items ?? 0;
  const result = isOver
    ? await resultOf(ctx, at, planned.step, { ...counts, total, takenBack: loop.taken_back, tries })
    : null;
  if (ended.length > 0 || begun.length > 0 || isOver) await writeLoop(ctx, at, { ...counts, result });
  if (isOver) ctx.enqueue(wakeRun(ctx.scope, run.id));
  const waiting = open.filter(({ task_id, child_run }) => task_id === null && child_run === null);
  return { start: stops ? [] : [...waiting.map(({ number }) => number), ...begun] };
}

/** Cancels the running items. Returns those whose end the loop awaits. */
async function stopItems(
  ctx: WriteContext,
  run: RunRow,
  at: LoopAt,
  running: readonly RunningItem[],
): Promise<RunningItem[]> {
  const isUnstarted = ({ task_id, child_run }: RunningItem) => task_id === null && child_run === null;
  const cancelled = { code: "cancelled", detail: "It was taken back before it began." };
  await endItems(
    ctx,
    at,
    running.filter(isUnstarted).map((item) => ({ ...item, end: { status: "cancelled", failure: cancelled } })),
  );
  const open = running.filter((item) => !isUnstarted(item));
  for (const item of open) await cancelOutside(ctx, run, item);
  return open;
}
