import { compileUserSchema, type Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import type { Proposal } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { LiveSkill } from "../../agents/public.ts";
import {
  proposedDispatch,
  proposedToolCall,
  type SaidOfRevision,
  subjectOf,
  type TaskRow,
} from "../../tasks/public.ts";
import { needsSecondPerson } from "../requests/persons.ts";
import { type ApprovalRow, type DecidableApproval, endApproval, findApproval } from "../requests/store.ts";
import type { ApprovalDetail, ApproveBody } from "../schemas.ts";
import { type Ballot, castLocked, detailOf, lockOpen, refuseUnbound, vote } from "./decide.ts";
import { callerOf, type LoadedForEdit } from "./load.ts";
import { openCallRound, openRound } from "./rounds.ts";
import { decidersIn, isEscalated, type Seat, seatOf, storedAction } from "./rules.ts";

type Edits = NonNullable<ApproveBody["edits"]>;

export function editFaults(loaded: LoadedForEdit, edits: unknown): Fault[] {
  if (edits === undefined || typeof edits !== "object" || edits === null) return [];
  const refused = (detail: string): Fault[] => [{ pointer: "/edits", code: "not_editable", detail }];
  if (!loaded.skill) return refused("cannot be judged: the agent version that the task pins can no longer be read");
  const validate =
    loaded.approval.tool === null ? loaded.skill.validate : callValidator(loaded.skill, loaded.approval.tool);
  if (!validate)
    return refused("is of a look-up, which says what it looks up and nothing else; approve or reject it as it is");
  return validate(edits).map((fault) => ({ ...fault, pointer: `/edits${fault.pointer ?? ""}` }));
}

const validators = new WeakMap<object, Validator>();

/** Validates a tool's arguments; undefined where people cannot edit them, or its schema does not compile. */
function callValidator({ tools }: LiveSkill, name: string): Validator | undefined {
  const tool = tools.find((one) => one.name === name);
  if (tool?.kind !== "http") return undefined;
  const known = validators.get(tool);
  if (known) return known;
  const compiled = compileUserSchema(tool.arguments ?? { type: "object" });
  if (compiled.ok) validators.set(tool, compiled.validate);
  return compiled.ok ? compiled.validate : undefined;
}

export function editedSubject({ loaded, body }: { loaded: LoadedForEdit | undefined; body: ApproveBody }): {
  subject?: string;
} {
  if (!loaded?.skill || body.edits === undefined || loaded.approval.tool !== null) return {};
  return { subject: subjectOf(loaded.skill, body.edits, loaded.task.id) };
}

const changes = (approval: ApprovalRow, task: TaskRow, edits: Edits): boolean =>
  canonicalJson(storedAction(approval, task).arguments) !== canonicalJson(edits);

/** The edited dispatch or tool call, for policies; null where it changes nothing, or can no longer be evaluated. */
export function editedAction(
  ctx: CallContext,
  { approval, task, skill }: LoadedForEdit,
  { edits }: ApproveBody,
): Proposal | null {
  if (edits === undefined || !skill || !changes(approval, task, edits)) return null;
  const tool = skill.tools.find(({ name }) => name === approval.tool);
  return tool ? proposedToolCall(ctx, task, tool, edits) : proposedDispatch(ctx, task, skill, edits);
}

/**
 * Approves the action with another input: supersedes this round with its votes and opens the next one, with the caller's vote as its first, except where
 * four eyes are demanded, as the editor is no second person, and where they may not decide the next one. Edits that change nothing are a plain vote.
 */
export async function approveEdited(
  ctx: WriteContext,
  loaded: LoadedForEdit,
  ballot: Ballot & { readonly vote: "approve" },
  edits: Edits,
  said: SaidOfRevision,
): Promise<ApprovalDetail> {
  const locked = await lockOpen(ctx, loaded);
  const { approval, task, seat } = locked;
  refuseUnbound(approval, task, ballot.digest);
  if (!changes(approval, task, edits)) return castLocked(ctx, locked, ballot);
  if (!loaded.skill)
    throw refuse(conflict, "The agent version that the task pins can no longer be read; dispatch the work again.");
  await endApproval(ctx, { id: approval.id, status: "superseded", reason: ballot.reason });
  const ended = asEscalated(approval, ctx.now);
  const open = approval.tool === null ? openRound : openCallRound;
  const round = await open(ctx, { approval: ended, task, skill: loaded.skill }, edits, {
    said,
    editedBy: { id: ctx.principal.id, accountable: seat.accountable },
    deciders: decidersIn(ctx, seat, "edited", `approval:${approval.id}`),
    tells: (demand) =>
      needsSecondPerson(demand) ||
      demand.required_by?.some(({ kind }) => kind === "rule") === true ||
      (ended.escalated_at !== null && ctx.principal.role !== "admin"),
  });
  const next = await findApproval(ctx, round.row.id);
  const voter = next?.requester_allowed && (await seatAfter(ctx, next, seat));
  if (!next || !voter) return detailOf(ctx, round.row.id, round.task);
  return vote(ctx, { approval: next, task: round.task, seat: voter }, ballot);
}

/** One whose time to escalate is over stays escalated in the next round, though the sweep has not done it yet. */
const asEscalated = (approval: ApprovalRow, now: number): ApprovalRow =>
  isEscalated(approval, now) ? { ...approval, escalated_at: approval.escalated_at ?? approval.expires_at } : approval;

/**
 * In whose name the editor votes in the round that the edit opened; undefined: not at all. Who was handed the decision has it still; who stands in no longer
 * does, as the editor is one of the two.
 */
async function seatAfter(ctx: WriteContext, next: DecidableApproval, seat: Seat): Promise<Seat | undefined> {
  const now = seatOf(await callerOf(ctx), next);
  if ("bar" in now) return undefined;
  return seat.delegation === null ? seat : now;
}
