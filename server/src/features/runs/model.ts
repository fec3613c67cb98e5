import type { CallContext, ReadContext } from "../../kernel/context.ts";
import { directOf } from "../../kernel/direct-skills.ts";
import { workLease } from "../../kernel/lease.ts";
import type { TrustScore } from "../../kernel/trust/index.ts";
import type { RunLimits } from "../../kernel/verdict.ts";
import {
  connectionsUsed,
  findChat,
  findKnownAgent,
  findLiveSkill,
  findVersion,
  isChat,
  isRunnable,
  type LiveVersion,
  skillNamed,
} from "../agents/public.ts";
import type { AgentDefinition, RunnableTool, SkillDefinition } from "../agents/schemas.ts";
import {
  agentSeen,
  findTask,
  isRepeatable,
  riskNow,
  startingTrust,
  type TaskRow,
  toolsAsMarked,
} from "../tasks/public.ts";

/** How often a task is begun before it is given up: a task that takes its worker down is not tried for ever. */
export const mostAttempts = 5;

/** How long a lease lasts, in seconds. */
export const leaseSeconds = workLease.seconds;

/** What holds where a skill says nothing. */
export const defaultLimits = { seconds: 120, steps: 12 };

/** A task with what its pinned version says about its skill. */
export interface Work {
  readonly agent: string;
  readonly row: TaskRow;
  readonly definition: AgentDefinition;
  readonly skill: SkillDefinition;
  /** Those of the skill's tools that this release can call. */
  readonly tools: readonly RunnableTool[];
}

/** The task and the skill of the version that it pins, whichever version is deployed by now. The deployed one is in memory. */
export async function loadWork(ctx: ReadContext, taskId: string): Promise<Work | undefined> {
  const row = await findTask(ctx, taskId);
  if (!row) return undefined;
  const { live } = findKnownAgent(ctx, row.agent) ?? {};
  const deployed = live?.id === row.version_id ? liveSkillOf(live, row) : undefined;
  if (live && deployed) {
    const { definition: skill, tools } = deployed;
    return {
      agent: row.agent,
      row,
      definition: live.definition,
      skill,
      tools: toolsAsMarked(ctx, tools.filter(isRunnable)),
    };
  }
  const version = await findVersion(ctx, row.version_id);
  const skill = version && definedSkillOf(version.definition, row);
  if (!version || !skill) return undefined;
  const { definition } = version;
  return { agent: row.agent, row, definition, skill, tools: toolsAsMarked(ctx, toolsOf(definition, skill)) };
}

const liveSkillOf = (version: LiveVersion, { skill, conversation }: TaskRow) =>
  conversation === null ? findLiveSkill(version, skill) : findChat(version.definition);
const definedSkillOf = (definition: AgentDefinition, { skill, conversation }: TaskRow) =>
  conversation === null ? skillNamed(definition, skill) : findChat(definition).definition;

/** Those of a skill's tools that this release can call, in the order in which it names them. */
export function toolsOf(definition: AgentDefinition, skill: SkillDefinition): RunnableTool[] {
  return (skill.tools ?? [])
    .flatMap((name) => definition.tools.find((tool) => tool.name === name) ?? [])
    .filter(isRunnable);
}

/** The connections that a task uses: those of its model and its skill's tools. */
export const connectionsOf = ({ definition, skill }: Pick<Work, "definition" | "skill">): string[] =>
  connectionsUsed(definition, skill.tools ?? []);

/** What policies see of a task that runs: `input` is the task's input, or the arguments of the tool call. */
export function runFacts(ctx: CallContext, { row }: Work, input: Readonly<Record<string, unknown>>) {
  const trust: TrustScore = startingTrust(ctx, row.version_id, row.skill);
  const risk = riskNow(row, trust.low);
  const { level, score, impact, likelihood } = risk;
  return {
    agent: agentSeen(ctx, row.agent),
    version: { number: row.version_number, id: row.version_id },
    skill: { name: row.skill },
    ...workflowOf(row),
    input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    spend: { task_usd: row.cost_usd },
    assessed: risk,
  };
}

const workflowOf = ({ run_workflow: name, run_step: step }: TaskRow) =>
  name === null || step === null ? {} : { workflow: { name, step } };

/** The task's input as an object. */
export function inputOfRow(row: TaskRow): Record<string, unknown> {
  return JSON.parse(row.input) as Record<string, unknown>;
}

/** The strictest of what the skill itself, the policies at dispatch and those at the start allow a run; null: no limit. */
export function limitsOf(
  { row, skill }: { row: Pick<TaskRow, "run_limits">; skill: SkillDefinition },
  atStart: RunLimits | null,
) {
  const atDispatch = row.run_limits === null ? {} : (JSON.parse(row.run_limits) as RunLimits);
  const all: readonly RunLimits[] = [{ ...defaultLimits, ...skill.limits }, atDispatch, atStart ?? {}];
  const least = (of: keyof RunLimits): number => Math.min(...all.map((one) => one[of] ?? Number.POSITIVE_INFINITY));
  const ifAny = (limit: number): number | null => (Number.isFinite(limit) ? limit : null);
  return {
    seconds: least("seconds"),
    steps: least("steps"),
    tokens: ifAny(least("tokens")),
    costUsd: ifAny(least("cost_usd")),
  };
}

/** What a worker needs to run the task; `resumed`: an earlier worker began the run and may have left a journal. */
export function runOf({ row, definition, skill, tools }: Work, resumed: boolean, limits: ReturnType<typeof limitsOf>) {
  return {
    agent: row.agent,
    version: row.version_number,
    versionId: row.version_id,
    ...(row.run_workflow !== null && { workflow: row.run_workflow }),
    attempt: row.attempt,
    resumed,
    runId: `${row.id} ${row.started_at?.getTime()}`,
    input: inputOfRow(row),
    limits,
    stepsBefore: (row.retry_step ?? 1) - 1,
    spent: { tokens: row.tokens - row.tokens_before, costUsd: row.cost_usd - row.cost_before_usd, ms: row.ran_ms },
    ...skillOf(definition, skill, tools),
  };
}
/** `waitedMs`: how long it was in the queue. */
export type TaskRun = ReturnType<typeof runOf> & { readonly waitedMs: number };

/** What a version says about a skill, as the runtime takes it. */
export function skillOf(definition: AgentDefinition, skill: SkillDefinition, tools: readonly RunnableTool[]) {
  const direct = directOf(skill.name);
  return {
    skill: skill.name,
    model: definition.model,
    ...(direct !== undefined && { direct }),
    briefing: {
      agent: definition.instructions ?? null,
      skill: skill.instructions ?? null,
      description: skill.description ?? null,
      input: skill.input,
      output: skill.output ?? null,
      examples: skill.examples ?? [],
    },
    tools: tools.map((tool) => ({
      name: tool.name,
      effect: tool.effect,
      idFields: idFields(tool, skill),
      costUsd: tool.cost_usd ?? 0,
      repeatable: isRepeatable(tool),
      spec: tool,
    })),
  };
}

/** The input fields that can hold a record's id: `get_lead` takes `lead_id`; else the field that names the skill's subject. Other tools have none. */
function idFields(tool: RunnableTool, skill: SkillDefinition): string[] {
  if (tool.kind !== "record") return [];
  const thing = tool.name.replace(/^(get|find|read|look_up|lookup)_/, "");
  return [...new Set([`${thing}_id`, isChat(skill) ? `${thing}_id` : (skill.subject ?? `${thing}_id`)])];
}
