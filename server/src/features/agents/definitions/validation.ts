import { studentQuantile } from "@aos/statistics";
import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { definePort } from "../../../kernel/port.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import { settingsOf } from "../../admin/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { usedTools } from "../deployments/health.ts";
import { runnableFaults } from "../deployments/view.ts";
import { freezeFaults, valueFaults } from "./bundle/index.ts";
import { definitionWarnings } from "./references.ts";
import { type AgentDefinition, joinBundle, type SkillDefinition } from "./schemas.ts";
import type { AgentRow } from "./store.ts";
import type { DraftFinding, DraftValidation, DraftVerdict, SkillCost } from "./validation-schemas.ts";

const windowMs = 90 * 86_400_000;
const mostTasks = 200;

/** Costs of the latest completed tasks of each skill in the environment. */
export function readCosts(
  { scope, db, now }: Pick<CallContext, "scope" | "now"> & { readonly db: Statements },
  agent: string,
  skills: readonly string[],
): Promise<CostEvidence[]> {
  return db.query<CostEvidence>(
    `select s.skill, count(t.cost_usd)::int as tasks, coalesce(avg(t.cost_usd), 0)::float8 as "meanUsd",
       coalesce(stddev_samp(t.cost_usd), 0)::float8 as "spreadUsd",
       coalesce(percentile_cont(0.9) within group (order by t.cost_usd), 0)::float8 as "p90Usd", coalesce(avg(t.ran_ms), 0)::float8 / 1000 as "meanSeconds"
     from unnest($4::text[]) as s(skill)
     left join lateral (
       select t.cost_usd, t.ran_ms + coalesce(greatest(0, extract(epoch from t.finished_at - t.claimed_at) * 1000), 0) as ran_ms
       from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.agent = $3 and t.skill = s.skill
         and t.status = 'completed' and t.id >= $5 order by t.id desc limit ${mostTasks}) t on true
     group by s.skill`,
    [scope.organization, scope.environment, agent, skills, lowestId("tsk", now - windowMs)],
  );
}

interface CostEvidence {
  readonly skill: string;
  readonly tasks: number;
  readonly meanUsd: number;
  readonly spreadUsd: number;
  readonly p90Usd: number;
  readonly meanSeconds: number;
}

const cents = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** The mean with Student's 95 % interval, cut off at 0; without two tasks what the skill's limits allow. */
export function costOf(skill: Pick<SkillDefinition, "name" | "limits">, evidence: CostEvidence | undefined): SkillCost {
  const { tasks = 0 } = evidence ?? {};
  if (!evidence || tasks < 2) {
    const most = skill.limits?.cost_usd ?? null;
    const nothing = { mean_usd: null, p90_usd: null, mean_seconds: null };
    return {
      skill: skill.name,
      basis: most === null ? "none" : "limits",
      tasks,
      ...nothing,
      low: most === null ? null : 0,
      high: most,
    };
  }
  const margin = (studentQuantile(0.975, tasks - 1) * evidence.spreadUsd) / Math.sqrt(tasks);
  return {
    skill: skill.name,
    basis: "past_tasks",
    tasks,
    mean_usd: cents(evidence.meanUsd),
    low: cents(Math.max(0, evidence.meanUsd - margin)),
    high: cents(evidence.meanUsd + margin),
    p90_usd: cents(evidence.p90Usd),
    mean_seconds: Math.round(evidence.meanSeconds * 10) / 10,
  };
}

/** Tools that no skill uses, and what policies would refuse. */
function draftHints(definition: AgentDefinition, verdicts: readonly DraftVerdict[]): DraftFinding[] {
  const used = new Set(usedTools(definition).map(({ name }) => name));
  const unused = definition.tools.flatMap(({ name }, at): DraftFinding[] =>
    used.has(name)
      ? []
      : [{ severity: "info", pointer: `/tools/${at}`, code: "unused_tool", detail: `no skill uses the tool ${name}` }],
  );
  const denied = verdicts.flatMap(({ verdict, skill, tool, action, reasons }): DraftFinding[] => {
    if (verdict !== "deny") return [];
    const at = definition.skills.findIndex(({ name }) => name === skill);
    const detail = `policies would refuse ${tool === null ? action : `${action} of ${tool}`} in the skill ${skill}: ${reasons.join(" ")}`;
    return [{ severity: "warning", pointer: `/skills/${at}`, code: "denied_by_policy", detail }];
  });
  return [...unused, ...denied];
}

/** A draft as policies see it. */
export interface JudgedDraft {
  readonly agent: string;
  readonly labels: readonly string[];
  readonly definition: AgentDefinition;
}

type Judge = (ctx: CallContext, draft: JudgedDraft) => DraftVerdict[];
/** The verdicts of active policies and the declared risk of a draft. */
export const draftJudge = definePort<Judge>("verdicts on drafts");

type Looking = CallContext & { readonly db: Reader };

/** Checks a draft against its rules, its environment and the policies there. */
export async function validateDraft(
  ctx: Looking,
  { name: agent, labels, draft, revision }: AgentRow,
): Promise<DraftValidation> {
  const verdicts = ctx.port(draftJudge)(ctx, { agent, labels, definition: draft });
  const findings = [...(await faultsOf(ctx, agent, labels, draft)), ...draftHints(draft, verdicts)];
  const costs = await readCosts(
    ctx,
    agent,
    draft.skills.map(({ name }) => name),
  );
  const readable = principalHolds(ctx.principal, "governance:read");
  return {
    agent,
    revision,
    valid: findings.every(({ severity }) => severity !== "error"),
    findings,
    verdicts: readable ? verdicts : verdicts.map((one) => ({ ...one, policies: [] })),
    costs: draft.skills.map((skill) =>
      costOf(
        skill,
        costs.find((one) => one.skill === skill.name),
      ),
    ),
    checked_at: new Date(ctx.now).toISOString(),
  };
}

async function faultsOf(ctx: Looking, agent: string, labels: readonly string[], draft: AgentDefinition) {
  const warnings = await definitionWarnings(ctx, draft, settingsOf(ctx).tools.reads);
  const as =
    (severity: DraftFinding["severity"]) =>
    ({ pointer, code, detail }: Fault): DraftFinding => ({
      severity,
      pointer: pointer ?? "",
      code,
      detail,
    });
  return [
    ...valueFaults(joinBundle(agent, labels, draft)).map(as("error")),
    ...[...freezeFaults(draft), ...runnableFaults(draft)].map(as("error")),
    ...warnings.map((fault) => as(fault.code === "counts_as_write" ? "warning" : "error")(fault)),
  ];
}
