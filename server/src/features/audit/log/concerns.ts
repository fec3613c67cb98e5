import type { ReadContext } from "../../../kernel/context.ts";
import type { Concerned } from "../../../kernel/narrowing.ts";
import { agentVersionRows, deploymentRows, trainingJobRows } from "../../agents/shared-rows.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { datasetRows, evaluationRunRows } from "../../evaluations/shared-rows.ts";
import { killSwitchRows } from "../../governance/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { webhookRows } from "../../webhooks/shared-rows.ts";
import { storedRecord } from "./stored-record.ts";

// Which agents a record concerns: what a key that is narrowed to agents may see of the log goes by it.

/**
 * Kinds of objects that belong to no agent, or are lists. Records about these, and about a kind that is in neither this list nor the look-ups below, are hidden
 * from narrowed keys, but for those of the key's own calls.
 */
const kindsOfNoAgent = [
  "agents",
  "approvals",
  "audit",
  "base",
  "bases",
  "budgets",
  "connection",
  "connections",
  "datasets",
  "document",
  "event-types",
  "events",
  "export",
  "exports",
  "key",
  "keys",
  "link",
  "links",
  "member",
  "members",
  "policies",
  "policy",
  "runs",
  "scorer",
  "scorers",
  "session",
  "sessions",
  "settings",
  "sink",
  "sinks",
  "kill_switches",
  "stops",
  "tasks",
  "violations",
  "webhooks",
] as const;

/**
 * SQL: the agents that a record concerns, `text[]`: those of its task, or those that its object is or belongs to; empty where it concerns none
 * in particular, null where that is not known. `task`, `object`: expressions of the record's members. `$1` is the organization, `$2` the environment.
 */
export function concernedAgents(task: string, object: string): string {
  const id = `substr(${object}, strpos(${object}, ':') + 1)`;
  const here = (alias: string): string => `${alias}.organization = $1 and ${alias}.environment = $2`;
  const taskOf = (reference: string): string =>
    `select array[t.agent] from ${taskRows} t where ${here("t")} and t.id = ${reference}`;
  const versionOf = (reference: string): string =>
    `select array[v.agent] from ${agentVersionRows} v where v.organization = $1 and v.id = ${reference}`;
  return `coalesce((${taskOf(task)}), case
    when ${object} is null or split_part(${object}, ':', 1) = any('{${kindsOfNoAgent.join(",")}}'::text[]) then '{}'::text[]
    else case replace(split_part(${object}, ':', 1), 'stop', 'kill_switch')
      when 'agent' then array[${id}]
      when 'gate' then array[${id}]
      when 'budget' then case when ${id} like 'agent:%' then array[substr(${id}, 7)] else '{}'::text[] end
      when 'task' then (${taskOf(id)})
      when 'batch' then (select array_agg(distinct t.agent) from ${taskRows} t where ${here("t")} and t.batch_id = ${id})
      when 'approval' then (select array[a.agent] from ${approvalRows} a where ${here("a")} and a.id = ${id})
      when 'deployment' then (select array[d.agent] from ${deploymentRows} d where ${here("d")} and d.id = ${id})
      when 'version' then (${versionOf(id)})
      when 'training' then (select array[j.agent] from ${trainingJobRows} j where ${here("j")} and j.id = ${id})
      when 'run' then (select array[r.agent] from ${evaluationRunRows} r where ${here("r")} and r.id = ${id})
      when 'dataset' then (select array[d.agent] from ${datasetRows} d where d.organization = $1 and (d.id = ${id} or d.name = ${id}))
      when 'webhook' then (select w.agents from ${webhookRows} w where ${here("w")} and w.id = ${id})
      when 'kill_switch' then (
        select case s.kind when 'agent' then array[s.target] when 'skill' then array[split_part(s.target, '.', 1)]
          when 'version' then (${versionOf("s.target")}) else '{}'::text[] end
        from ${killSwitchRows} s where s.organization = $1 and (s.environment = $2 or s.kind = 'all') and s.id = ${id})
    end end)`;
}

/** SQL: whether a record concerns one of the agents, and no others. */
export const concernsAlone = (task: string, object: string, agents: string): string => {
  const concerned = concernedAgents(task, object);
  return `coalesce(${concerned} <> '{}' and ${concerned} <@ ${agents}::text[], false)`;
};

/** The agents that a record concerns, for permissions; null: none, or nobody knows. The records of its own calls are a key's to see. `body`: the record's canonical JSON. */
export async function concernedBy(
  { db, scope, principal: { agents, keyId } }: ReadContext,
  body: string,
): Promise<Concerned> {
  const { object, task_id, key_id } = storedRecord({ body });
  if (key_id !== null && key_id === keyId) return agents;
  const rows = await db.query<{ concerned: string[] | null }>(
    `select ${concernedAgents("$3::text", "$4::text")} as concerned`,
    [scope.organization, scope.environment, task_id, object],
  );
  return rows[0]?.concerned ?? null;
}
