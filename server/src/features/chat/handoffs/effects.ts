import { all, select, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { conflict, insufficientScope } from "../../../kernel/problems.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { addNotice } from "../conversations/notices.ts";
import { nobody } from "../conversations/writers.ts";
import { handoffTaken } from "../events.ts";
import type { Handoff } from "../schemas.ts";
import { type ConversationLocked, stopTurns } from "../turns/control.ts";
import { isOpen } from "../turns/rules.ts";
import { settleTurns } from "../turns/settle.ts";
import { answerPermission, mayAnswer } from "./rules.ts";
import { changeHandovers } from "./store.ts";
import { takenText } from "./texts.ts";

type Locked = ConversationLocked;

export const changeConversation = (ctx: WriteContext, id: string, changes: Parameters<typeof set>[2]) =>
  set(ctx, id, changes);

const set = (
  ctx: WriteContext,
  id: string,
  changes: Partial<
    Pick<
      Locked,
      "agent" | "handler" | "handler_since" | "version_id" | "version_number" | "disclosed_at" | "end_user" | "channel"
    >
  > &
    Partial<Pick<Locked, "external_key" | "principal" | "key_id">> & { readonly handoff?: string | null },
) =>
  all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ ...changes, updated_at: new Date(ctx.now) })
      .where("id", "=", id),
  );

/** Stops the running answer with its question, and takes waiting messages out of the line. Answers that wait for approval stay. */
export async function stopAnswers(ctx: WriteContext, row: Locked, reason: string): Promise<void> {
  const turns = await settleTurns(ctx, row);
  const open = turns.filter((turn) => isOpen(turn) && turn.state !== "awaiting_approval");
  if (open.length > 0) await stopTurns(ctx, row, open, reason);
}

/** Of several callers only the first succeeds. */
export async function takeOver(ctx: WriteContext, row: Locked, running: "finish" | "stop" = "stop"): Promise<void> {
  refuseWhoMayNot(ctx);
  if (row.handler === ctx.principal.id) return;
  if (row.handler !== null) throw handledBy(row.handler);
  const handoff = row.handoff as Handoff | null;
  if (handoff?.member && handoff.member !== ctx.principal.id)
    throw refuse(conflict, `The conversation was handed to ${handoff.member}. Hand it to yourself first.`);
  if (running === "stop") await stopAnswers(ctx, row, "A person took the conversation over.");
  const at = new Date(ctx.now);
  const taken = handoff && JSON.stringify({ ...handoff, member: null, taken_at: at.toISOString() });
  await set(ctx, row.id, { handler: ctx.principal.id, handler_since: at, handoff: taken });
  await changeHandovers(ctx, row.id, { member: ctx.principal.id, taken_at: at });
  const text = await takenText(ctx, row, await nameOf(ctx));
  await addNotice(ctx, row.id, { code: "taken_over", text, writers: nobody });
  ctx.emit(handoffTaken, { ...eventSubject(row), member: ctx.principal.id });
}

export const eventSubject = ({ id, agent, channel }: Pick<Locked, "id" | "agent" | "channel">) => ({
  conversation_id: id,
  agent,
  channel,
});

export const handledBy = (member: string): Refusal =>
  refuse(conflict, `${member} answers in this conversation already; they can hand it back or on.`);

export function refuseWhoMayNot(ctx: WriteContext): void {
  if (mayAnswer(ctx.principal)) return;
  const detail = `Answering as a person needs the permission ${answerPermission}, and a member: service accounts and widgets write as the user.`;
  throw refuse(insufficientScope, detail, { members: { missing_scope: answerPermission } });
}

export async function nameOf(ctx: WriteContext, id = ctx.principal.id): Promise<string> {
  const [row] = await all(ctx, select(ctx, memberRows, "m").select("m.name").where("m.id", "=", id));
  return row?.name ?? id;
}
