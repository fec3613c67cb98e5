import { type Actor, type Decider, keyOfActor, storableDeciders, unite } from "../../../kernel/actor.ts";
import { arrayLiteral, type JobSpec } from "../../../kernel/append.ts";
import type { CallContext, Emitting } from "../../../kernel/context.ts";
import type { Risk } from "../../../kernel/risk.ts";
import { titleOf } from "../../../kernel/title.ts";
import type { TrustScore } from "../../../kernel/trust/index.ts";
import type { ApprovalDemand, Governed } from "../../../kernel/verdict.ts";
import type { LiveSkill, LiveVersion } from "../../agents/public.ts";
import { type AskedExpiry, approvalOfTask, expiryOf, type NewApprovalRow } from "../../approvals/requests/public.ts";
import { taskApprovalRequired, taskCreated } from "../events.ts";
import type { Dispatched } from "../schemas.ts";
import { runTask } from "../tasks/queue.ts";
import type { NewTaskRow } from "../tasks/store.ts";
import { approvalFor, riskText, subjectOf, trustText } from "./rules.ts";

/** Work for a version, which need not be live. */
export interface PinnedWork {
  readonly version: Pick<LiveVersion, "id" | "number">;
  readonly skill: LiveSkill;
  readonly input: Record<string, unknown>;
  readonly trust: TrustScore;
  readonly risk: Risk;
}

/** Work after all stages and the validation of the body. */
export interface Work extends PinnedWork {
  readonly version: LiveVersion;
}

export interface Accepting {
  readonly agent: string;
  /** The skill's name. */
  readonly task: string;
  readonly requireApproval: boolean;
  readonly priority: number;
  readonly deadline: string | null;
  readonly notBefore: string | null;
  readonly labels: readonly string[];
  readonly approval: AskedExpiry | null;
  /** The approval that is required; left out: what caller, gate, policies and risk require. */
  readonly demand?: ApprovalDemand | null;
  /** Deciders of the content by which it runs: `liveContentDeciders` or `contentDeciders`. A function is called only if people are asked. */
  readonly content: readonly Decider[] | (() => readonly Decider[]);
  /** The workflow step that it carries out. */
  readonly run?: {
    readonly id: string;
    readonly workflow: string;
    readonly step: string;
    /** The approval of an earlier step that includes exactly this task. */
    readonly coveredBy: string | null;
    /** The origin of its effects, the same for each attempt of the step. */
    readonly origin: string;
    /** An earlier attempt may have left effects. */
    readonly isAgain: boolean;
  };
  /** The conversation whose turn it is. */
  readonly conversation?: string;
  /** The canary that it takes part in, and the digest of its sticky key. */
  readonly experiment?: { readonly id: string; readonly sticky: string | null } | null;
}

/** The rows of an accepted task and its approval, if any. */
export interface Accepted {
  readonly task: NewTaskRow;
  readonly approval: NewApprovalRow | null;
  readonly dispatched: Dispatched;
}

type Accepts = CallContext & Emitting & { readonly batch: string | null; enqueue(job: JobSpec): void };

/**
 * Makes a new task in the name of an actor: tells of it, asks people where caller, gate, policy or risk demand it, and else wakes a worker. Who calls
 * writes the rows.
 */
export function acceptTask(
  ctx: Accepts,
  actor: Actor,
  work: PinnedWork,
  governed: Governed,
  asked: Accepting,
): Accepted {
  const id = ctx.newId("tsk");
  const title = titleOf(work.skill.definition.title, work.input);
  const demand =
    asked.demand === undefined ? approvalFor(ctx, work.risk, governed.approval, asked.requireApproval) : asked.demand;
  const status = demand ? "awaiting_approval" : "queued";
  const dispatched: Dispatched = { task_id: id, status, trust_score: work.trust.score, audit_ref: ctx.auditRef };
  ctx.emit(taskCreated, { ...dispatched, agent: asked.agent, task: asked.task }, { id, sequence: 1 });
  const approval = demand ? askPeople(ctx, id, asked, { actor, work, title, demand }) : null;
  const { notBefore, priority } = asked;
  if (!demand) ctx.enqueue(runTask(ctx.scope, id, priority, notBefore === null ? null : new Date(notBefore)));
  const task = newTask(ctx, actor, work, governed, asked, { id, title, approval });
  return { task, approval, dispatched };
}

interface OwnMembers {
  readonly id: string;
  readonly title: string | null;
  readonly approval: NewApprovalRow | null;
}

function newTask(
  ctx: Accepts,
  actor: Actor,
  work: PinnedWork,
  governed: Governed,
  asked: Accepting,
  own: OwnMembers,
): NewTaskRow {
  const { run } = asked;
  return {
    id: own.id,
    title: own.title,
    status: own.approval ? "awaiting_approval" : "queued",
    agent: asked.agent,
    skill: asked.task,
    version_id: work.version.id,
    version_number: work.version.number,
    input: JSON.stringify(work.input),
    require_approval: asked.requireApproval,
    priority: asked.priority,
    deadline: asked.deadline,
    not_before: asked.notBefore,
    labels: arrayLiteral(asked.labels),
    tags: arrayLiteral(governed.tags),
    trust_score: work.trust.score,
    trust: trustText(work.trust),
    risk_level: work.risk.level,
    risk: riskText(work.risk),
    audit_ref: ctx.auditRef,
    approval_id: own.approval?.id ?? null,
    principal: actor.owner,
    key_id: keyOfActor(actor),
    deciders: storableDeciders(decidersBesideKey(ctx, actor)),
    subject: subjectOf(work.skill, work.input, own.id),
    event_count: own.approval ? 2 : 1,
    batch_id: ctx.batch,
    run_limits: governed.limits && JSON.stringify(governed.limits),
    idempotency_hash: null,
    request_digest: null,
    answer: null,
    traceparent: ctx.traceparent,
    run_id: run?.id ?? null,
    run_step: run?.step ?? null,
    run_workflow: run?.workflow ?? null,
    covered_by: run?.coveredBy ?? null,
    run_key: run?.origin ?? null,
    run_again: run?.isAgain ?? false,
    conversation: asked.conversation ?? null,
    experiment: asked.experiment?.id ?? null,
    sticky: asked.experiment?.sticky ?? null,
  };
}

const contentOf = ({ content }: Accepting): readonly Decider[] => (typeof content === "function" ? content() : content);

/** Null in a task's row means its owner and the issuers of its key, who are everybody for a direct call. */
const decidersBesideKey = ({ principal }: Accepts, { owner, persons }: Actor): readonly Decider[] =>
  owner === principal.id && persons.every(({ how }) => how === "owner" || how === "issuer") ? [] : persons;

interface Asking {
  readonly actor: Actor;
  readonly work: PinnedWork;
  readonly title: string | null;
  readonly demand: ApprovalDemand;
}

function askPeople(ctx: Accepts, taskId: string, asked: Accepting, asking: Asking): NewApprovalRow {
  const { actor, work, title, demand } = asking;
  const { agent } = asked;
  const skill = work.skill.definition.name;
  const row = approvalOfTask({
    id: ctx.newId("apr"),
    nonce: ctx.newId("req").slice(4),
    taskId,
    title,
    demand,
    action: { agent, version: work.version.id, skill, tool: null, arguments: work.input },
    versionNumber: work.version.number,
    riskLevel: work.risk.level,
    requester: { id: actor.owner, persons: unite(actor.persons, contentOf(asked)) },
    expiry: expiryOf(ctx, work.risk.level, demand, asked.approval),
  });
  ctx.aboutApproval(row.id);
  const approve_url = `${ctx.appUrl}/approvals/${taskId}`;
  const told = { task_id: taskId, agent, risk: work.risk.level, summary: row.summary, approve_url };
  ctx.emit(taskApprovalRequired, told, { id: taskId, sequence: 2 });
  return row;
}
