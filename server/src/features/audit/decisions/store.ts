import type { ReadContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { defineLoader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { agentVersionRows } from "../../agents/shared-rows.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { stepRows, taskRows } from "../../tasks/shared-rows.ts";

/** A task as a decision, with the version that was pinned at its dispatch. */
export interface DecisionTask {
  readonly id: string;
  readonly agent: string;
  readonly skill: string;
  readonly status: string;
  readonly principal: string;
  readonly key_id: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly version_id: string;
  readonly version_number: number;
  readonly trust_score: number;
  readonly risk_level: string;
  readonly cost_usd: number;
  readonly digest: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly tools: readonly string[];
}

const byId = defineLoader<DecisionTask & Record<string, unknown>>(
  "task as a decision",
  `select t.id as loader_key, t.id, t.agent, t.skill, t.status, t.principal, t.key_id, t.created_at, t.finished_at, t.version_id, t.version_number,
     t.trust_score, t.risk_level, t.cost_usd, v.digest, v.definition #>> '{model,provider}' as provider, v.definition #>> '{model,name}' as model,
     array(select used from jsonb_array_elements(v.definition -> 'skills') as own(own), jsonb_array_elements_text(own.own -> 'tools') as used
       where own.own ->> 'name' = t.skill order by used) as tools
   from ${taskRows} t left join ${agentVersionRows} v on v.organization = $1 and v.id = t.version_id
   where t.organization = $1 and t.environment = $2 and t.id = any($3::text[])`,
);

export const findDecision = (ctx: ReadContext, task: string): Promise<DecisionTask | undefined> =>
  isId(task, "tsk") ? ctx.db.load(byId, ctx.scope, task) : Promise.resolve(undefined);

export interface DecisionApprovalRow extends Record<string, unknown> {
  readonly approval_id: string;
  readonly tool: string | null;
  readonly status: string;
  readonly reasons: string;
  readonly requested_at: Date;
  readonly decided_at: Date | null;
}

/** Approvals of a task, the oldest first. */
export const listApprovals = ({ scope, db }: QueryContext, task: string): Promise<DecisionApprovalRow[]> =>
  db.query(
    `select id as approval_id, tool, status, reasons, created_at as requested_at, decided_at from ${approvalRows} approvals
     where organization = $1 and environment = $2 and task_id = $3 order by created_at, id limit 100`,
    [scope.organization, scope.environment, task],
  );

export interface DecisionCallRow extends Record<string, unknown> {
  readonly step_id: string;
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly cost_usd: number;
  readonly started_at: Date;
  readonly finished_at: Date | null;
}

/** Calls of models and tools, the oldest first. */
export const listDecisionCalls = ({ scope, db }: QueryContext, task: string): Promise<DecisionCallRow[]> =>
  db.query(
    `select id as step_id, kind, name, state, cost_usd, started_at, finished_at from ${stepRows} steps
     where organization = $1 and environment = $2 and task_id = $3 order by started_at, id limit 500`,
    [scope.organization, scope.environment, task],
  );
