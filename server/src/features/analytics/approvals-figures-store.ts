import type { ReadContext } from "../../kernel/context.ts";
import { lowestId } from "../../kernel/ids.ts";
import { acceptedFrom, approvedStates, sentBackStates } from "./facts.ts";
import type { Decision } from "./fatigue-model.ts";
import { agentsIn, labelIn, scopeOf, skillIn } from "./quality-scope.ts";
import type { FigureWindow } from "./window.ts";

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
       from approvals a
       where a.organization = $1 and a.environment = $2 and a.id >= $3 and a.id < $4 and a.decided_at is not null
         and a.status = any($5::text[]) and a.decided_by not like 'system:%'
         and ($6::text[] is null or a.agent = any($6)) and ($7::text is null or a.skill = $7)
         and ($8::text is null or exists (select from tasks t where t.organization = $1 and t.environment = $2 and t.id = a.task_id and $8 = any(t.labels)))
       order by a.id desc limit $9) d
     left join trust_judgements j on j.organization = $1 and j.environment = $2 and j.agent = d.agent and j.skill = d.skill
       and j.id = d.task_id and j.version_id = d.version_id and j.source <> 'approval'
     order by d.decided_at`,
    [
      ...[...scopeOf(ctx), lowestId("apr", window.from), lowestId("apr", window.to)],
      ...[[...approvedStates, ...sentBackStates, "rejected"], agentsIn(ctx, window), skillIn(window), labelIn(window)],
      most,
    ],
  );
  return rows.map(({ approver, status, edited, ms, risk, outcome }) => {
    const approved = approvedStates.has(status);
    const agreed = approved && outcome !== null ? outcome >= acceptedFrom : null;
    return { approver, plain: approved && !edited, approved, ms, risk, agreed };
  });
}
