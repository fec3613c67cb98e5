import type { ReadContext } from "../../../kernel/context.ts";
import { type Measured, type RollupRow, rollup } from "../rollups/rollup.ts";
import { linkOf } from "./link.ts";
import { funnelStages, type TaskFunnel } from "./schemas.ts";
import { type FigureWindow, headOf, windowBefore } from "./window.ts";

type Stage = (typeof funnelStages)[number];
type Counts = Readonly<Record<Stage, number>>;

const countOf = (measured: Measured | undefined): number => measured?.value ?? 0;
/** Times from dispatch to start: one of each task that was started. */
const startedOf = ({ values }: RollupRow): number => values.queue_time_p50.n;
/** Accepted tasks are counted in ten thousandths. */
const rounded = (count: number): number => Math.round(count * 10_000) / 10_000;
export const acceptedOf = ({ values }: Pick<RollupRow, "values">): number =>
  rounded(countOf(values.accepted_rate) * values.accepted_rate.n);
const total = (rows: readonly RollupRow[], of: (row: RollupRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

function countsOf(rows: readonly RollupRow[]): Counts {
  const completed = rows.filter(({ key }) => key.status === "completed");
  return {
    dispatched: total(rows, ({ values }) => countOf(values.tasks)),
    started: total(rows, startedOf),
    completed: total(completed, ({ values }) => countOf(values.tasks)),
    judged: total(completed, ({ values }) => countOf(values.judged)),
    accepted: rounded(total(completed, acceptedOf)),
  };
}

export async function taskFunnelOf(ctx: ReadContext, window: FigureWindow): Promise<TaskFunnel> {
  const read = ({ from, to }: FigureWindow) =>
    rollup(ctx, {
      measures: ["tasks", "judged", "accepted_rate", "queue_time_p50"],
      dimensions: ["status"],
      from,
      to,
      filters: window.filters,
      timeZone: window.timeZone,
    });
  const answer = await read(window);
  const before = countsOf((await read(windowBefore(window))).rows);
  const counts = countsOf(answer.rows);
  const stages = funnelStages.map((stage, at) => ({
    stage,
    tasks: {
      value: counts[stage],
      low: null,
      high: null,
      n: Math.round(counts[stage]),
      previous: before[stage],
      link: linkOfStage(stage, window),
    },
    of_dispatched: shareOf(counts[stage], counts.dispatched),
    of_before: at === 0 ? null : shareOf(counts[stage], counts[funnelStages[at - 1] as Stage]),
  }));
  return { ...headOf(window, answer), stages, dropped: droppedOf(answer.rows, counts, window) };
}

const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

function linkOfStage(stage: Stage, window: FigureWindow): string | null {
  if (stage === "dispatched") return linkOf("tasks", window.filters, window);
  const completed = { ...window.filters, status: ["completed"] };
  if (stage === "completed") return linkOf("tasks", completed, window);
  return stage === "judged" ? linkOf("judged", completed, window) : null;
}

function droppedOf(rows: readonly RollupRow[], counts: Counts, window: FigureWindow): TaskFunnel["dropped"] {
  const byStatus = rows.flatMap((row) => {
    const reason = row.key.status ?? "open";
    const link = linkOf("tasks", { ...window.filters, status: [reason] }, window);
    const started = startedOf(row);
    return [
      { before: "started" as const, reason, tasks: countOf(row.values.tasks) - started, link },
      { before: "completed" as const, reason, tasks: reason === "completed" ? 0 : started, link },
    ];
  });
  const completed = linkOf("tasks", { ...window.filters, status: ["completed"] }, window);
  const judging = [
    {
      before: "judged" as const,
      reason: "not_judged",
      tasks: counts.completed - counts.judged,
      link: completed && `${completed}&judged=false`,
    },
    {
      before: "accepted" as const,
      reason: "not_accepted",
      tasks: rounded(counts.judged - counts.accepted),
      link: null,
    },
  ];
  const order = (stage: Stage): number => funnelStages.indexOf(stage);
  return [...byStatus, ...judging]
    .filter(({ tasks }) => tasks > 0)
    .sort((a, b) => order(a.before) - order(b.before) || b.tasks - a.tasks);
}
