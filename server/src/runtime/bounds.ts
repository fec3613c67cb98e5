import type { Demand } from "../kernel/budget.ts";
import { counted } from "../kernel/count.ts";
import type { Failure, RunTool, SkillRun } from "./port.ts";
import { modelName } from "./specs.ts";
import type { TurnTokens } from "./turn.ts";

/** What a run has used so far. */
export interface Spent {
  tokens: number;
  costUsd: number;
}

/** What tokens of a model cost in US dollars; null: nobody knows, and only the tokens count. */
export type CostOf = (tokens: TurnTokens) => number | null;

/** Less than a millionth of a dollar, in which money is counted: sums of prices are not exact. */
const least = 5e-7;

/** The longest answer of one turn where neither the model's settings nor a limit say less. */
export const usualOutputTokens = 8_192;

const usd = (amount: number): string => `$${Number(amount.toFixed(6))}`;

/** Why another step, the run's `number`-th, would be one too many; undefined where it would not. */
export function overSteps(
  { limits, skill, stepsBefore = 0 }: Pick<SkillRun, "limits" | "skill" | "stepsBefore">,
  number: number,
): Failure | undefined {
  if (number - stepsBefore <= limits.steps) return undefined;
  const detail = `${skill} may take ${counted(limits.steps, "step")} and did not end within them; raise its limit or give it fewer tools.`;
  return { code: "step_limit", detail };
}

/** Why a call of the tool would go over a limit of the run; undefined where it would not. */
export function overCall(
  { limits, skill }: Pick<SkillRun, "limits" | "skill">,
  spent: Readonly<Spent>,
  tool: RunTool,
): Failure | undefined {
  if (limits.costUsd !== null && spent.costUsd + tool.costUsd > limits.costUsd + least) {
    const detail = `${skill} may cost ${usd(limits.costUsd)} and has cost ${usd(spent.costUsd)}; ${tool.name} would cost ${usd(tool.costUsd)} more.`;
    return { code: "cost_limit", detail };
  }
  return undefined;
}

/** What a turn may use at most: the longest answer, and what has to be kept free of budgets for it. */
export type TurnBounds =
  | { readonly ok: true; readonly maxOutputTokens: number | undefined; readonly demand: Demand }
  | { readonly ok: false; readonly failure: Failure };

/** The bounds of a turn that is shown this (prompt, tools and the form of the answer): the answer is kept so short that not even a full one goes over a limit. The built-in model costs nothing and needs none. */
export function turnBounds(run: SkillRun, spent: Readonly<Spent>, shown: unknown, costOf: CostOf): TurnBounds {
  const { limits, skill, model } = run;
  if (limits.tokens !== null && spent.tokens >= limits.tokens) return { ok: false, failure: tokenLimit(run, spent, 0) };
  if (model.provider === "builtin") return { ok: true, maxOutputTokens: undefined, demand: { steps: 1 } };
  const input = estimateTokens(shown);
  const wanted = model.settings?.max_output_tokens ?? usualOutputTokens;
  const byTokens = limits.tokens === null ? wanted : Math.min(wanted, limits.tokens - spent.tokens - input);
  if (byTokens < 1) return { ok: false, failure: tokenLimit(run, spent, input) };
  const priced = costOf({ input, cached: 0, cacheWrite: input, output: 1 }) !== null;
  if (!priced && limits.costUsd !== null) return { ok: false, failure: priceUnknown(run, limits.costUsd) };
  const worst = (output: number): number => costOf({ input, cached: 0, cacheWrite: input, output }) ?? 0;
  const room = limits.costUsd === null ? Number.POSITIVE_INFINITY : limits.costUsd + least - spent.costUsd;
  const perToken = worst(1) - worst(0);
  const byMoney =
    perToken <= 0 || room === Number.POSITIVE_INFINITY ? byTokens : Math.floor((room - worst(0)) / perToken);
  if (worst(0) > room || byMoney < 1) {
    const detail = `${skill} may cost ${usd(limits.costUsd ?? 0)} and has cost ${usd(spent.costUsd)}; another turn of ${model.name} could cost more than is left.`;
    return { ok: false, failure: { code: "cost_limit", detail } };
  }
  const maxOutputTokens = Math.min(byTokens, byMoney);
  return {
    ok: true,
    maxOutputTokens,
    demand: {
      steps: 1,
      tokens: input + maxOutputTokens,
      ...(priced ? { usd: worst(maxOutputTokens) } : { usdUnknown: true }),
    },
  };
}

function priceUnknown({ skill, model }: SkillRun, limit: number): Failure {
  const detail =
    `${skill} may cost ${usd(limit)}, and what ${modelName(model)} costs is not known, so that the limit could not hold. ` +
    "Give the model a `price` in its settings (0 for a server of your own), or limit tokens in place of money.";
  return { code: "price_unknown", detail };
}

function tokenLimit({ limits, skill }: SkillRun, spent: Readonly<Spent>, next: number): Failure {
  const more = next === 0 ? "" : `, and the next turn begins with some ${next}`;
  return {
    code: "token_limit",
    detail: `${skill} may use ${limits.tokens} tokens and has used ${spent.tokens}${more}.`,
  };
}

/** Tokens of what a model is shown, on the safe side, and as they are counted where a provider does not report them: three bytes of JSON to a token. */
function estimateTokens(shown: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(shown)) / 3);
}
