import { betaQuantile } from "@aos/statistics";
import { madeAt } from "../../../kernel/moment.ts";
import type { EstimateRange, TaskEstimate } from "../schemas.ts";
import type { EndedTask } from "./estimate-store.ts";

/** Fewer tasks of one version than this say less than those of earlier ones besides. */
const enoughOfOneVersion = 20;

function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

/** Null of nothing. `by`: money adds up, so its mean is what many tasks cost; of times the middle says more. */
export function rangeOf(values: readonly number[], by: "mean" | "median"): EstimateRange | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const expected = by === "mean" ? mean : quantile(sorted, 0.5);
  return { expected, low: quantile(sorted, 0.1), high: quantile(sorted, 0.9) };
}

/** The mean and the central 90 % of the posterior of a share under Jeffreys' prior, Beta(½, ½); null of nothing. */
export function chanceOf(completed: number, of: number): TaskEstimate["completes"] {
  if (of === 0) return null;
  const [a, b] = [completed + 0.5, of - completed + 0.5];
  return { expected: a / (a + b), low: betaQuantile(0.05, a, b), high: betaQuantile(0.95, a, b) };
}

type Figures = Pick<TaskEstimate, "history" | "completes" | "cost_usd" | "tokens" | "run_seconds" | "queue_seconds">;

/** Figures from ended tasks: those of the live version, where there are enough. */
export function figuresOf(ended: readonly EndedTask[], version: string | null): Figures {
  const own = ended.filter(({ version_id }) => version_id === version);
  const used = own.length >= enoughOfOneVersion ? own : ended;
  const oldest = used.at(-1);
  const queues = used.flatMap(({ queue }) => (queue === null ? [] : [Math.max(0, queue)]));
  const completed = used.filter((task) => task.completed).length;
  return {
    history: {
      tasks: used.length,
      since: oldest === undefined ? null : madeAt(oldest.id),
      same_version: used.every(({ version_id }) => version_id === version),
    },
    completes: chanceOf(completed, used.length),
    cost_usd: rangeOf(
      used.map(({ cost_usd }) => cost_usd),
      "mean",
    ),
    tokens: rangeOf(
      used.map(({ tokens }) => tokens),
      "mean",
    ),
    run_seconds: rangeOf(
      used.map(({ run }) => run),
      "median",
    ),
    queue_seconds: rangeOf(queues, "median"),
  };
}
