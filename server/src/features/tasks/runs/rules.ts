import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { directOf } from "../../../kernel/direct-skills.ts";
import { workLease } from "../../../kernel/lease.ts";
import type { AuditObject } from "../../../kernel/operation.ts";
import type { ReplyOptions } from "../../../kernel/reply-options.ts";
import type { TrustScore } from "../../../kernel/trust/index.ts";
import type { RunLimits } from "../../../kernel/verdict.ts";
import { keyDeciders } from "../../admin/public.ts";
import {
  callerTools,
  connectionsUsed,
  findChat,
  findKnownAgent,
  findLiveSkill,
  findVersion,
  isChat,
  isRunnable,
  type LiveVersion,
  skillNamed,
} from "../../agents/public.ts";
import type { AgentDefinition, CallerTool, OwnTool, RunnableTool, SkillDefinition } from "../../agents/schemas.ts";
import type { Requester } from "../../approvals/requests/public.ts";
import { contentDeciders } from "../dispatch/deciders.ts";
import { agentSeen, isRepeatable, riskNow, startingTrust, toolsAsMarked } from "../dispatch/rules.ts";
import { type EndDigests, endDigests } from "../tasks/result.ts";
import { taskJson } from "../tasks/row.ts";
import { findTask, type TaskRow } from "../tasks/store.ts";

/** Starts of a task before it fails: one that takes its worker down is not tried for ever. */
export const mostAttempts = 5;

/** In seconds. */
export const leaseSeconds = workLease.seconds;

/** For what a skill does not limit. */
export const defaultLimits = { seconds: 120, steps: 12 };

/** A task with its skill by the pinned version. */
export interface LoadedTask {
  readonly agent: string;
  readonly row: TaskRow;
  readonly definition: AgentDefinition;
  readonly skill: SkillDefinition;
  /** Those of the skill's tools that this release can call, and in a conversation those that its caller brought. */
  readonly tools: readonly RunnableTool[];
}

/** The task and its skill by the pinned version, whichever version is live now. The live one is in memory. */
export async function loadTask(ctx: ReadContext, taskId: string): Promise<LoadedTask | undefined> {
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
      tools: [...toolsAsMarked(ctx, tools.filter(isRunnable)), ...toolsOfCaller(live.definition, row)],
    };
  }
  const version = await findVersion(ctx, row.version_id);
  const skill = version && definedSkillOf(version.definition, row);
  if (!version || !skill) return undefined;
  const { definition } = version;
  const tools = [...toolsAsMarked(ctx, toolsOf(definition, skill)), ...toolsOfCaller(definition, row)];
  return { agent: row.agent, row, definition, skill, tools };
}

/** Only a turn of a conversation has a caller who can bring results. */
function toolsOfCaller(definition: AgentDefinition, row: TaskRow): CallerTool[] {
  if (row.conversation === null || !row.input.includes('"options"')) return [];
  const { options } = inputOfRow(row) as { options?: ReplyOptions };
  return options === undefined ? [] : callerTools(definition, options);
}

const liveSkillOf = (version: LiveVersion, { skill, conversation }: TaskRow) =>
  conversation === null ? findLiveSkill(version, skill) : findChat(version.definition);
const definedSkillOf = (definition: AgentDefinition, { skill, conversation }: TaskRow) =>
  conversation === null ? skillNamed(definition, skill) : findChat(definition).definition;

/** Those of a skill's tools that this release can call, in the skill's order. */
export function toolsOf(definition: AgentDefinition, skill: SkillDefinition): OwnTool[] {
  return (skill.tools ?? [])
    .flatMap((name) => definition.tools.find((tool) => tool.name === name) ?? [])
    .filter(isRunnable);
}

/** The connections of a task: those of its model and its skill's tools. */
export const connectionsOf = ({ definition, skill }: Pick<LoadedTask, "definition" | "skill">): string[] =>
  connectionsUsed(definition, skill.tools ?? []);

/** Facts for policies: `input` is the task's input, or the arguments of the tool call. */
export function runFacts(ctx: CallContext, { row }: LoadedTask, input: Readonly<Record<string, unknown>>) {
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

export function inputOfRow(row: TaskRow): Record<string, unknown> {
  return taskJson(row, "input");
}

/** The strictest limits of the skill and of policies at dispatch and at the start; null: no limit. */
export function limitsOf(
  { row, skill }: { row: Pick<TaskRow, "run_limits">; skill: SkillDefinition },
  atStart: RunLimits | null,
) {
  const atDispatch = taskJson(row, "run_limits") ?? {};
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

/** What a worker needs to run the task; `resumed`: an earlier worker may have left a journal. */
export function runOf(
  { row, definition, skill, tools }: LoadedTask,
  resumed: boolean,
  limits: ReturnType<typeof limitsOf>,
) {
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
    ...(row.conversation !== null && definition.handoff && { handoff: definition.handoff }),
    ...skillOf(definition, skill, tools),
  };
}
/** `waitedMs`: how long it was queued. */
export type TaskRun = ReturnType<typeof runOf> & { readonly waitedMs: number };

/** A version's skill as the runtime takes it. */
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

/** The input fields that can hold a record's id: `get_lead` takes `lead_id`; else the skill's subject. Other tools have none. */
function idFields(tool: RunnableTool, skill: SkillDefinition): string[] {
  if (tool.kind !== "record") return [];
  const thing = tool.name.replace(/^(get|find|read|look_up|lookup)_/, "");
  return [...new Set([`${thing}_id`, isChat(skill) ? `${thing}_id` : (skill.subject ?? `${thing}_id`)])];
}

/** Result of the internal operations that end a task. */
export interface Ended extends EndDigests {
  readonly trust_score: number;
}

export const endedAs = (row: TaskRow): Ended => ({ trust_score: row.trust_score, ...endDigests(row) });

/** The audit subject of a call about a task, with its digests if the call ended it. */
export function auditOfTask(task: string, loaded: TaskRow | undefined, ended?: Ended): AuditObject {
  const named = { object: `task:${task}`, task: loaded?.id ?? null, ...(loaded ? { subject: loaded.subject } : {}) };
  return ended
    ? { ...named, trust: ended.trust_score, given: ended.given, result: ended.result }
    : { ...named, trust: null };
}

/**
 * Who asks for a task and its calls: whoever dispatched it or decided its input, answered its questions, edited its calls or sent them back with a note, and whoever
 * decided its version and connections, where nobody else has looked at these. `passages`: who decided the texts from which a call's arguments come.
 */
export async function requesterOf(
  ctx: WriteContext,
  { row, skill }: LoadedTask,
  passages: readonly Decider[] = [],
): Promise<Requester> {
  const asking = await keyDeciders(ctx, row.principal, row.key_id);
  const persons = unite(asking, storedDeciders(row.deciders), await contentDeciders(ctx, row, skill), passages);
  return { id: row.principal, persons };
}
