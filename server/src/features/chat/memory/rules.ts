import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { destroySalt } from "../../audit/public.ts";
import { eraseBesideRecords } from "../conversations/erase.ts";
import { findMessage } from "../conversations/message-store.ts";
import { findConversation } from "../conversations/store.ts";
import type { CreateMemoryBody } from "../schemas.ts";
import { type MemoryRow, memories } from "./resource.ts";

export function memoryFaults({
  user,
  conversation_id: conversation,
  source_message_id: source,
}: CreateMemoryBody): Fault[] {
  if (user === undefined && conversation === undefined)
    return [
      { pointer: "", code: "required", detail: "has neither `user` nor `conversation_id`; say whose memory it is" },
    ];
  if (source !== undefined && conversation === undefined)
    return [{ pointer: "/source_message_id", code: "excluded", detail: "needs `conversation_id`, the message's own" }];
  return [];
}

export async function checkSource(ctx: WriteContext, body: CreateMemoryBody): Promise<void> {
  const { conversation_id: conversation, source_message_id: source } = body;
  if (conversation !== undefined && !(await findConversation(ctx, conversation)))
    throw invalid("/conversation_id", "unknown_conversation", "names no conversation here");
  const message = source === undefined ? undefined : await findMessage(ctx, source);
  if (source !== undefined && (message?.conversation !== conversation || message?.status === "retracted"))
    throw invalid("/source_message_id", "unknown_message", "names no message of that conversation");
}

const invalid = (pointer: string, code: string, detail: string) =>
  refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });

/** Digests of what was said in a conversation are erased with it. */
export const subjectOfMemory = (id: string, { conversation_id }: Pick<CreateMemoryBody, "conversation_id">): string =>
  conversation_id ?? id;

/** The record of the call is the proof. */
export async function forgetMemory(ctx: WriteContext, { id, conversation, audit_ref }: MemoryRow) {
  await memories.rows.remove(ctx, id);
  await eraseBesideRecords(ctx, { objects: [`memory:${id}`], tasks: [], records: [audit_ref] });
  if (conversation === null) await destroySalt(ctx, id);
  return { memory_id: id, deleted: true as const, audit_ref: ctx.auditRef };
}
