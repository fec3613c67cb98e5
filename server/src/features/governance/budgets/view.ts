import { nearestName } from "@aos/text";
import { all } from "../../../db/scoped.ts";
import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { digestRevision } from "../../../kernel/etag.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { BudgetLimit as UsedLimit } from "../../agents/public.ts";
import { unknownBudgetScope } from "./errors.ts";
import { budgetFacts } from "./facts.ts";
import {
  amountOf,
  type BudgetPeriod,
  type BudgetScope,
  type BudgetUnit,
  forecastOf,
  stateOf,
  windowAt,
} from "./rules.ts";
import type { Budget, BudgetLimit } from "./schemas.ts";
import { agentNames, type LimitRow, limitsUsedUp, listLimits, readLimits, scopeExists } from "./store.ts";

export const budgetRevision = ({ limits }: Pick<Budget, "limits">): string =>
  digestRevision(limits.map(({ unit, period, hard, warn }) => ({ unit, period, hard, warn })));

export function budgetView(scope: string, rows: readonly LimitRow[]): Budget {
  return { scope, limits: rows.map(limitView) };
}

function limitView(row: LimitRow): BudgetLimit {
  const { unit, period, hard, warn, used, granted } = row;
  const now = row.now.getTime();
  const window = windowAt(period, now, row.created_at.getTime());
  const forecast = forecastOf(used, window, now);
  const amount = (whole: number | null): number | null => (whole === null ? null : amountOf(unit, whole));
  return {
    unit,
    period,
    hard: amount(hard),
    warn: amount(warn),
    used: amountOf(unit, used),
    reserved: amountOf(unit, granted),
    available: hard === null ? null : amountOf(unit, Math.max(0, hard - used - granted)),
    forecast: amount(forecast),
    window: { from: timestamp(window.from), to: window.to === null ? null : timestamp(window.to) },
    state: stateOf(used, hard, warn),
    updated_at: isoTime(row.updated_at),
  };
}

/** The budgets that the caller sees, at most 1,000, with what was used in their present windows. */
export async function budgetsSeen(ctx: ReadContext): Promise<Budget[]> {
  const rows = await listLimits(ctx, seenBy(ctx.principal), { after: undefined, take: 1_000 });
  return rows.map((limits) => budgetView(limits[0]?.scope ?? "", limits));
}

export async function budgetStandings(ctx: QueryContext, scopes: readonly string[]): Promise<UsedLimit[]> {
  const found: UsedLimit[] = [];
  for (const scope of scopes) {
    const { limits } = budgetView(scope, await readLimits(ctx, scope));
    found.push(...limits.map(({ unit, period, state }) => ({ scope, unit, period, state })));
  }
  return found;
}

export interface ExhaustedBudget {
  readonly scope: string;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly since: Date | null;
}

/** The limits of the environment that are used up now. Without a hard limit it asks the database nothing. */
export async function exhaustedBudgets(
  ctx: QueryContext & Pick<CallContext, "facts">,
): Promise<readonly ExhaustedBudget[]> {
  const { organization, environment } = ctx.scope;
  const limited = ctx.facts
    .get(budgetFacts)
    .limits.some(
      (limit) => limit.organization === organization && limit.environment === environment && limit.hard !== null,
    );
  return limited ? all(ctx, limitsUsedUp(ctx)) : [];
}

const spans: Readonly<Record<BudgetPeriod, string>> = {
  hour: "this hour",
  day: "today",
  month: "this month",
  total: "in total",
};
const units: Readonly<Record<BudgetUnit, string>> = { usd: "money", tokens: "tokens", tasks: "tasks", steps: "steps" };

export const exhaustedText = ({ scope, unit, period }: ExhaustedBudget): string =>
  `The budget ${scope} has no ${units[unit]} left ${spans[period]}.`;

export function seenBy({ id, keyId, agents }: Principal): string[] | null {
  return agents && ["environment", `key:${keyId}`, `member:${id}`, ...agents.map((agent) => `agent:${agent}`)];
}

/** Refuses a budget for what is not there: it would never count anything. `allowUnknown`: an agent may come later. */
export async function refuseUnknown(
  ctx: CallContext & WriteContext,
  scope: BudgetScope,
  allowUnknown: boolean,
): Promise<void> {
  if (scope.kind === "environment" || (scope.kind === "agent" && allowUnknown) || (await scopeExists(ctx, scope)))
    return;
  if (scope.kind === "agent") {
    const names = ctx.principal.agents ?? (await agentNames(ctx));
    const close = nearestName(scope.agent, names);
    const known = close ? `did you mean agent:${close}?` : `there are ${names.slice(0, 20).join(", ") || "none"}.`;
    throw unknown(
      "unknown_agent",
      `there is no agent ${scope.agent}; ${known} To set it before the agent exists, send allow_unknown: true`,
    );
  }
  if (scope.kind === "key") {
    throw unknown(
      "unknown_key",
      `there is no key ${scope.key} in ${ctx.scope.environment}; GET /v1/admin/keys lists them by key_id`,
    );
  }
  throw unknown("unknown_member", `there is no member ${scope.member}; GET /v1/admin/members lists them by member_id`);
}

const unknown = (code: string, detail: string): Error =>
  refuse(unknownBudgetScope, `scope: ${detail}.`, { errors: [{ parameter: "scope", code, detail }] });
