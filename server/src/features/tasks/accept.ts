import { type Actor, type Decider, keyOfActor, storableDeciders, unite } from "../../kernel/actor.ts";
import type { JobSpec } from "../../kernel/append.ts";
import { arrayLiteral } from "../../kernel/append.ts";
import type { CallContext, Emitting } from "../../kernel/context.ts";
import type { Risk } from "../../kernel/risk.ts";
import { titleOf } from "../../kernel/title.ts";
import type { TrustScore } from "../../kernel/trust/index.ts";
import type { ApprovalDemand, Governed } from "../../kernel/verdict.ts";
import type { LiveSkill, LiveVersion } from "../agents/public.ts";
import { type AskedExpiry, approvalOfTask, expiryOf, type NewApprovalRow } from "../approvals/requests/public.ts";
import { taskApprovalRequired, taskCreated } from "./events.ts";
import { approvalFor, riskText, subjectOf, trustText } from "./model.ts";
import { runTask } from "./queue.ts";
import type { Dispatched } from "./schemas.ts";
import type { NewTaskRow } from "./store.ts";

/** What is to be done by a version, which need not be live. */
export interface PinnedWork {
  readonly version: Pick<LiveVersion, "id" | "number">;
  readonly skill: LiveSkill;
  readonly input: Record<string, unknown>;
  readonly trust: TrustScore;
  readonly risk: Risk;
}

/** What is to be done, once stages and body have been passed. */
export interface Work extends PinnedWork {
  readonly version: LiveVersion;
}

/** What a task is accepted with. */
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
  /** What is demanded of people, where that has been judged; left out: what caller, gate, policies and risk demand. */
  readonly demand?: ApprovalDemand | null;
  /** Who decided the standing content by which it runs: `liveContentDeciders` or `contentDeciders`. A function is called only if people are asked. */
  readonly content: readonly Decider[] | (() => readonly Decider[]);
  /** The step of a workflow's run that it is. */
  readonly run?: {
    readonly id: string;
    readonly workflow: string;
    readonly step: string;
    /** The approval of an earlier step by which people approved exactly this task. */
    readonly coveredBy: string | null;
    /** Whose effects its writes are, the same for each attempt of the step. */
    readonly origin: string;
    /** An attempt before may have left some. */
    readonly isAgain: boolean;
  };
  /** The conversation whose turn it is. */
  readonly conversation?: string;
  /** The canary whose comparison it takes part in, and what its sticky key is known by. */
  readonly experiment?: { readonly id: string; readonly sticky: string | null } | null;
}

/** What accepting a task writes: its row, and that of its approval where people are asked. */
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
  const { notBefore, priority, run } = asked;
  if (!demand) ctx.enqueue(runTask(ctx.scope, id, priority, notBefore === null ? null : new Date(notBefore)));
  const task: NewTaskRow = {
    ...{ id, title, status, agent: asked.agent, skill: asked.task },
    version_id: work.version.id,
    version_number: work.version.number,
    input: JSON.stringify(work.input),
    require_approval: asked.requireApproval,
    ...{ priority, deadline: asked.deadline, not_before: notBefore },
    labels: arrayLiteral(asked.labels),
    tags: arrayLiteral(governed.tags),
    trust_score: work.trust.score,
    trust: trustText(work.trust),
    risk_level: work.risk.level,
    risk: riskText(work.risk),
    audit_ref: ctx.auditRef,
    approval_id: approval?.id ?? null,
    principal: actor.owner,
    key_id: keyOfActor(actor),
    deciders: storableDeciders(decidersBesideKey(ctx, actor)),
    subject: subjectOf(work.skill, work.input, id),
    event_count: demand ? 2 : 1,
    batch_id: ctx.batch,
    run_limits: governed.limits && JSON.stringify(governed.limits),
    ...{ idempotency_hash: null, request_digest: null, answer: null },
    traceparent: ctx.traceparent,
    ...{ run_id: run?.id ?? null, run_step: run?.step ?? null, run_workflow: run?.workflow ?? null },
    covered_by: run?.coveredBy ?? null,
    run_key: run?.origin ?? null,
    run_again: run?.isAgain ?? false,
    conversation: asked.conversation ?? null,
    ...{ experiment: asked.experiment?.id ?? null, sticky: asked.experiment?.sticky ?? null },
  };
  return { task, approval, dispatched };
}

const contentOf = ({ content }: Accepting): readonly Decider[] => (typeof content === "function" ? content() : content);

/** Null in the row of a task means its owner and who issued its key: of a call by itself that is everybody. */
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
    ...{ taskId, title, demand },
    action: { agent, version: work.version.id, skill, tool: null, arguments: work.input },
    versionNumber: work.version.number,
    riskLevel: work.risk.level,
    requester: { id: actor.owner, persons: unite(actor.persons, contentOf(asked)) },
    expiry: expiryOf(ctx, work.risk.level, asked.approval),
  });
  ctx.aboutApproval(row.id);
  const approve_url = `${ctx.appUrl}/approvals/${taskId}`;
  const told = { task_id: taskId, agent, risk: work.risk.level, summary: row.summary, approve_url };
  ctx.emit(taskApprovalRequired, told, { id: taskId, sequence: 2 });
  return row;
}
