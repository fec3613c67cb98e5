import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { lowestId } from "../../../../kernel/ids.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { trustJudgementRows } from "../../../agents/shared-rows.ts";
import { approvalRows } from "../../../approvals/shared-rows.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import { type FigureWindow, figuresOf, headOf, seriesOf, tableOf, windowOf } from "../../figures/window.ts";
import { type Breakdown, windowQuery } from "../../figures/window-schemas.ts";
import { acceptedFrom, approvedStates, sentBackStates } from "../../rollups/facts.ts";
import { ApprovalFigures, type ApproverFigures } from "../../schemas.ts";
import { exampleApprovals } from "../example.ts";
import { type Decision, fatigueRules, findSigns } from "../fatigue-rules.ts";
import { agentsIn, labelIn, mayRead, scopeOf, skillIn } from "../scope.ts";

const ofDecisions = [
  ...(["time_to_decide_p50", "time_to_decide_p90", "edit_rate", "override_rate", "quick_rate", "agreement"] as const),
];
const measures = ["approvals", "decided", "expiry_rate", ...ofDecisions] as const;
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
      figures: whole.figures,
      series: series.points,
      by_risk: byRisk.rows,
      by_agent: byAgent.rows,
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

interface Row {
  readonly approver: string;
  readonly status: string;
  readonly edited: boolean;
  readonly ms: number;
  readonly risk: Decision["risk"];
  readonly outcome: number | null;
}

/** Decisions of people on what was asked in the window: the newest so many, in the order in which they were made. */
export async function listDecisions(ctx: ReadContext, window: FigureWindow, most: number): Promise<Decision[]> {
  const rows = await ctx.db.query<Row>(
    `select d.*, j.outcome from (
       select a.decided_by as approver, a.status, a.edited_by is not null as edited, a.risk_level as risk, a.decided_at, a.agent, a.skill, a.task_id, a.version_id,
         (extract(epoch from a.decided_at - a.created_at) * 1000)::float8 as ms
       from ${approvalRows} a
       where a.organization = $1 and a.environment = $2 and a.id >= $3 and a.id < $4 and a.decided_at is not null
         and a.status = any($5::text[]) and a.decided_by not like 'system:%'
         and ($6::text[] is null or a.agent = any($6)) and ($7::text is null or a.skill = $7)
         and ($8::text is null or exists (select from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.id = a.task_id and $8 = any(t.labels)))
       order by a.id desc limit $9) d
     left join ${trustJudgementRows} j on j.organization = $1 and j.environment = $2 and j.agent = d.agent and j.skill = d.skill
       and j.id = d.task_id and j.version_id = d.version_id and j.source <> 'approval'
     order by d.decided_at`,
    [
      ...scopeOf(ctx),
      lowestId("apr", window.from),
      lowestId("apr", window.to),
      [...approvedStates, ...sentBackStates, "rejected"],
      agentsIn(ctx, window),
      skillIn(window),
      labelIn(window),
      most,
    ],
  );
  return rows.map(({ approver, status, edited, ms, risk, outcome }) => {
    const approved = approvedStates.has(status);
    const agreed = approved && outcome !== null ? outcome >= acceptedFrom : null;
    return { approver, plain: approved && !edited, approved, ms, risk, agreed };
  });
}
