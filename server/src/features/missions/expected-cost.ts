import type { LiveSkill, LiveVersion } from "../agents/public.ts";
import type { Evidence } from "./evidence-store.ts";
import type { Interval } from "./measure.ts";
import { dollars } from "./spend-store.ts";

/** What an expected cost rests on. `nothing`: no limit either, so that it says 0. */
export type CostBasis = "past_tasks" | "tool_prices" | "limit" | "nothing";

export interface ExpectedCost {
  readonly usd: Interval;
  readonly basis: CostBasis;
}

/** The skill as it is live, with its model. */
export interface PricedSkill {
  readonly skill: LiveSkill;
  readonly model: LiveVersion["definition"]["model"];
}

/**
 * What so many tasks of a skill cost, in US dollars: the mean of its past tasks that ran; without any, one call of each of its tools where the model is the built-in one,
 * which costs nothing; else its limit, which they cannot exceed.
 */
export function expectedCost(evidence: Evidence, tasks: number, priced: PricedSkill | undefined): ExpectedCost {
  if (evidence.ran > 0) return { usd: ofPastTasks(evidence, tasks), basis: "past_tasks" };
  const limit = priced?.skill.definition.limits?.cost_usd;
  if (priced?.model.provider === "builtin") {
    const prices = priced.skill.tools.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
    const each = Math.min(prices, limit ?? prices);
    return {
      usd: { value: dollars(tasks * each), low: 0, high: dollars(tasks * (limit ?? each)) },
      basis: "tool_prices",
    };
  }
  const most = dollars(tasks * (limit ?? 0));
  return { usd: { value: most, low: 0, high: most }, basis: limit === undefined ? "nothing" : "limit" };
}

function ofPastTasks({ ran, meanUsd, spreadUsd }: Evidence, tasks: number): Interval {
  // The mean is known up to its standard error, and the sum of so many tasks spreads around it.
  const margin = 1.96 * spreadUsd * Math.sqrt((tasks * tasks) / ran + tasks);
  const value = tasks * meanUsd;
  return { value: dollars(value), low: dollars(Math.max(0, value - margin)), high: dollars(value + margin) };
}
