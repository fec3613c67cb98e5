import { Type } from "typebox";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { listDecisions } from "../approvals-figures-store.ts";
import { fatigueRules, findSigns } from "../fatigue-model.ts";
import { exampleApprovals } from "../quality-example.ts";
import { mayRead } from "../quality-scope.ts";
import { ApprovalFigures, type ApproverFigures } from "../schemas.ts";
import { figuresOf, headOf, seriesOf, tableOf, windowOf } from "../window.ts";
import { type Breakdown, windowQuery } from "../window-schemas.ts";

const ofDecisions = [
  ...(["time_to_decide_p50", "time_to_decide_p90", "edit_rate", "override_rate", "quick_rate", "agreement"] as const),
];
const measures = ["approvals", "decided", "expiry_rate", ...ofDecisions] as const;
/** Decisions that are looked at one by one. */
const mostDecisions = 20_000;
const mostRows = 50;

export const readApprovalFigures = defineRead({
  id: "analytics.readApprovalFigures",
  path: "/v1/analytics/approvals",
  listed: true,
  summary: "Read how people decide approvals",
  description:
    "How long decisions take, how often people edit, reject or send back, what expires, and how often the outcome was good. For each approver, signs that decisions may be made without a look, each with its numbers, its test, and how rarely chance shows as much; none below 30 decisions.",
  query: Type.Object(windowQuery, { additionalProperties: false }),
  output: ApprovalFigures,
  example: { output: exampleApprovals },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures approvals of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }) {
    const window = windowOf(ctx, query);
    const table = (dimension: "risk" | "agent" | "approver") =>
      tableOf(ctx, window, { measures, dimensions: [dimension], sort: "-decided", limit: mostRows });
    const [whole, series, byRisk, byAgent, byApprover, decisions] = await Promise.all([
      figuresOf(ctx, window, { measures }),
      seriesOf(ctx, window, { measures: ["approvals", "decided", "time_to_decide_p50", "edit_rate", "quick_rate"] }),
      table("risk"),
      table("agent"),
      table("approver"),
      mayRead(ctx, "approvals:read") ? listDecisions(ctx, window, mostDecisions) : [],
    ]);
    const { approvers, questions } = findSigns(decisions);
    return {
      ...headOf(window, whole, series, byRisk, byAgent, byApprover),
      ...{ figures: whole.figures, series: series.points, by_risk: byRisk.rows, by_agent: byAgent.rows },
      approvers: byApprover.rows.flatMap((row) => approverOf(row, approvers)),
      tested: { decisions: decisions.length, least: fatigueRules.least, questions },
    };
  },
});

function approverOf(
  { key, names, figures }: Breakdown,
  signs: ReturnType<typeof findSigns>["approvers"],
): ApproverFigures[] {
  const { approver = null } = key;
  if (approver === null) return [];
  const { enough = false, signs: found = [] } = signs.get(approver) ?? {};
  const own = Object.fromEntries(ofDecisions.map((name) => [name, figures[name]])) as ApproverFigures["figures"];
  return [
    {
      approver,
      name: names?.approver ?? approver,
      decided: figures.decided?.value ?? 0,
      figures: own,
      enough,
      signs: [...found],
    },
  ];
}
