import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type ProblemType, refuse } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import type { AuditObject } from "../../../kernel/operation.ts";
import { decidesStrictly, memberPlace } from "../../admin/public.ts";
import { findKnownAgent, type LiveSkill } from "../../agents/public.ts";
import { findTask, pinnedSkill, type TaskRow, taskJson } from "../../tasks/public.ts";
import { standInsOf } from "../delegations/store.ts";
import { keyNotIndependent, noSecondPerson, notSignedInPersonally, personsOnly } from "../requests/errors.ts";
import { type DecidableApproval, findApproval } from "../requests/store.ts";
import { delegated, escalated, fourEyes, notAsked } from "./errors.ts";
import { type Bar, type Caller, lastingBar, type Seat, seatOf } from "./rules.ts";

/** What the operations of the service itself are called with. */
export interface Addressed {
  readonly approval: string;
}

/** `agent` is what keys are narrowed to. */
export interface LoadedApproval {
  readonly agent: string;
  readonly approval: DecidableApproval;
  readonly task: TaskRow;
}

export interface LoadedForEdit extends LoadedApproval {
  /** Undefined where the pinned version can no longer be read. */
  readonly skill: LiveSkill | undefined;
}

export async function loadApproval(ctx: ReadContext, id: string): Promise<LoadedApproval | undefined> {
  const approval = await findApproval(ctx, id);
  const task = approval && (await findTask(ctx, approval.task_id));
  return approval && task && { agent: approval.agent, approval, task };
}

/** Refuses who can never decide it. What else bars a caller is checked under the lock: a repetition of the call is answered before. */
export async function loadDecidable(ctx: ReadContext, id: string): Promise<LoadedApproval | undefined> {
  const loaded = await loadApproval(ctx, id);
  const bar = loaded && lastingBar(ctx, loaded.approval);
  if (bar) throw barred(bar);
  return loaded;
}

export async function loadEditable(ctx: ReadContext, id: string): Promise<LoadedForEdit | undefined> {
  const loaded = await loadDecidable(ctx, id);
  return loaded && { ...loaded, skill: await pinnedSkill(ctx, loaded.task) };
}

export async function callerOf(ctx: ReadContext | WriteContext): Promise<Caller> {
  const { principal, now, personalSignIn, appUrl } = ctx;
  return {
    principal,
    now,
    personalSignIn,
    appUrl,
    strict: decidesStrictly(ctx),
    standIns: await standInsOf(ctx),
    placeOf: (member) => memberPlace(ctx, member),
  };
}

const barProblems: Readonly<Record<Bar["code"], ProblemType>> = {
  persons_only: personsOnly,
  four_eyes: fourEyes,
  no_second_person: noSecondPerson,
  not_signed_in_personally: notSignedInPersonally,
  delegated,
  escalated,
  key_not_independent: keyNotIndependent,
  not_asked: notAsked,
};

/** In whose name the caller decides, or only rejects, sends back or escalates (`tightening`). Throws the reason why they may not. */
export async function requireSeat(ctx: WriteContext, approval: DecidableApproval, tightening: boolean): Promise<Seat> {
  const seat = seatOf(await callerOf(ctx), approval, tightening);
  if ("bar" in seat) throw barred(seat.bar);
  return seat;
}

const barred = ({ code, reason }: Bar): Error => refuse(barProblems[code], reason, { stage: "permissions" });

export function approvalFacts(
  ctx: CallContext,
  { approval, task }: LoadedApproval,
  edits?: Readonly<Record<string, unknown>>,
) {
  const { score, impact, likelihood } = taskJson(task, "risk");
  const trust = taskJson(task, "trust");
  return {
    agent: { name: approval.agent, labels: findKnownAgent(ctx, approval.agent)?.labels ?? [] },
    version: { number: approval.version_number, id: approval.version_id },
    skill: { name: approval.skill },
    ...(edits === undefined ? {} : { input: edits }),
    risk: { level: approval.risk_level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
  };
}

/** `output` may be of a newer round than what was loaded. */
export function approvalAudit({
  params,
  loaded,
  output,
}: {
  params: { approval: string };
  loaded: LoadedApproval | undefined;
  output?: { readonly approval_id?: string } | undefined;
}): AuditObject {
  if (!loaded) {
    const { approval: id } = params;
    const known = (prefix: "apr" | "tsk"): string | null => (isId(id, prefix) ? id : null);
    return { object: `approval:${id}`, approval: known("apr"), task: known("tsk") };
  }
  const { approval, task } = loaded;
  const { id, subject, trust_score: trust } = task;
  return { object: `approval:${approval.id}`, approval: output?.approval_id ?? approval.id, task: id, subject, trust };
}
