import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import type { Fault } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { unknownBudgetScope } from "../errors.ts";
import { exampleBudget } from "../example.ts";
import { budgetFacts } from "../facts.ts";
import { type BudgetScope, parseBudgetScope, wholeOf } from "../rules.ts";
import { Budget, BudgetScopeName, SetBudgetBody } from "../schemas.ts";
import { lockLimits, readLimits, replaceLimits } from "../store.ts";
import { budgetRevision, budgetView, refuseUnknown } from "../view.ts";

/** What the path names; `agent` where it is one, so that keys narrowed to other agents are refused. */
type Named = BudgetScope & { readonly agent?: string; readonly present: Budget };

export const setBudget = defineOperation({
  id: "governance.setBudget",
  method: "PUT",
  path: "/v1/governance/budgets/{scope}",
  listed: true,
  summary: "Set a budget",
  description:
    "Puts limits in place of those that the scope has; they hold everywhere within a second. A limit that stays keeps its window and what was used. A new one counts from what the tasks of its scope have used in the present window; a total counts from now. A call must fit every budget that covers it: of its agent, its environment, its key and its member.",
  params: Type.Object({ scope: BudgetScopeName }),
  body: SetBudgetBody,
  output: Budget,
  example: {
    params: { scope: exampleBudget.scope },
    body: {
      limits: [
        { unit: "usd", period: "month", hard: 200, warn: 150 },
        { unit: "tasks", period: "day", hard: 500 },
      ],
    },
    output: exampleBudget,
  },
  revision: budgetRevision,
  revisionOfPart: true,
  mayMatch: ({ present }: Named) => budgetRevision(present),
  permission: "governance:write",
  load: (ctx, { scope }) => named(ctx, scope),
  validate: (_ctx, { loaded, body }) => [
    ...(Array.isArray(body.limits) ? faultsOf(body.limits) : []),
    ...(body.allow_unknown !== undefined && loaded.kind !== "agent"
      ? [{ pointer: "/allow_unknown", code: "not_allowed", detail: "applies to agents; leave it out" }]
      : []),
  ],
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("budget.set", (ctx, { loaded }: { loaded: Named }) => {
    const agent = loaded.agent === undefined ? undefined : findKnownAgent(ctx, loaded.agent);
    return agent ? { agent: { name: agent.agent, labels: agent.labels } } : {};
  }),
  audit: ({ params }) => `budget:${params.scope}`,
  errors: [unknownBudgetScope],
  async handle(ctx, { params, loaded, body }) {
    // A budget that is there can be changed and removed, whether what it is for is gone or yet to come.
    const before = await lockLimits(ctx, params.scope);
    if (ctx.basedOnLoaded && budgetRevision(budgetView(params.scope, before)) !== budgetRevision(loaded.present))
      throw changedMeanwhile();
    if (before.length === 0) await refuseUnknown(ctx, loaded, body.allow_unknown === true);
    const whole = (unit: (typeof body.limits)[number]["unit"], amount: number | undefined): number | null =>
      amount === undefined ? null : wholeOf(unit, amount);
    const limits = body.limits.map(({ unit, period, hard, warn }) => ({
      unit,
      period,
      hard: whole(unit, hard),
      warn: whole(unit, warn),
    }));
    const now = await replaceLimits(ctx, params.scope, limits, before);
    const did = limits.length === 0 ? "Removed" : "Changed";
    await noteRuleChange(ctx, `budget:${params.scope}`, `${did} the budget of ${params.scope}`);
    ctx.touch(budgetFacts);
    return budgetView(params.scope, now);
  },
});

/** Undefined for what is nothing that budgets are for. */
async function named(ctx: ReadContext, text: string): Promise<Named | undefined> {
  const scope = parseBudgetScope(text);
  return scope && { ...scope, present: budgetView(text, await readLimits(ctx, text)) };
}

type Limit = SetBudgetBody["limits"][number];

/** What the schema cannot say. A limit of another shape has the schema's faults, and none of these. */
function faultsOf(limits: readonly unknown[]): Fault[] {
  const seen = new Map<string, number>();
  return limits.flatMap((limit, i) => {
    if (typeof limit !== "object" || limit === null) return [];
    const stated = limit as Limit;
    const name = `${stated.unit} ${stated.period}`;
    const first = seen.get(name);
    seen.set(name, first ?? i);
    const faults = limitFaults(stated, `/limits/${i}`);
    if (first === undefined) return faults;
    const detail = `limits ${stated.unit} of a window of this length (${stated.period}) a second time, after /limits/${first}; keep one of them`;
    return [{ pointer: `/limits/${i}`, code: "limit_twice", detail }, ...faults];
  });
}

function limitFaults({ unit, hard, warn }: Limit, at: string): Fault[] {
  const faults: Fault[] = [];
  if (hard === undefined && warn === undefined) {
    faults.push({ pointer: at, code: "no_level", detail: "limits nothing: give it `hard`, `warn` or both" });
  }
  if (typeof hard === "number" && typeof warn === "number" && warn > hard) {
    faults.push({
      pointer: `${at}/warn`,
      code: "beyond_hard",
      detail: `is ${warn}, beyond \`hard\`, ${hard}: a warning comes before the end`,
    });
  }
  for (const [name, amount] of Object.entries({ hard, warn })) {
    if (unit === "usd" || typeof amount !== "number" || Number.isInteger(amount)) continue;
    faults.push({
      pointer: `${at}/${name}`,
      code: "not_whole",
      detail: `is ${amount}; ${unit} are counted in whole numbers`,
    });
  }
  return faults;
}
