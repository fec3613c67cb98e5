import { insertRow } from "../../db/insert-row.ts";
import { all, type Row, update } from "../../db/scoped.ts";
import { type Actor, storedDeciders, withDeciders } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Governed } from "../../kernel/verdict.ts";
import { chatSkill } from "../agents/public.ts";
import { newApprovals } from "../approvals/requests/public.ts";
import { acceptTask, contentDeciders, newTasks, type PinnedWork, wakeConversation } from "../tasks/public.ts";
import { nobody } from "./conversation-writers.ts";
import { disclose } from "./disclosure.ts";
import { appendEvents, type NewChatEvent } from "./event-store.ts";
import { changeMessage, findMessage, type MessageRow, messageView } from "./message-store.ts";
import type { Part } from "./schemas.ts";
import { addNotice, tellConversation } from "./told.ts";
import { changeTurn, type TurnRow, turnChanged } from "./turn-store.ts";
import type { Answering } from "./turn-version.ts";
import type { TurnInput } from "./turn-work.ts";

export interface Beginning {
  readonly conversation: Row<"chat_conversations">;
  readonly turn: TurnRow;
  /** What the user wrote, where the caller has it. */
  readonly message?: MessageRow;
  readonly answering: Answering;
  readonly work: PinnedWork;
  readonly governed: Governed;
  /** The last message that the agent sees; left out: the latest. */
  readonly after?: number;
  /** In whose name. */
  readonly actor: Actor;
}

/**
 * Begins a turn, of a conversation that is locked: pins the version, and makes the task, which may wait for people at once. Everybody whose words the agent reads asks
 * for what it does.
 */
export async function beginTurn(ctx: WriteContext, beginning: Beginning): Promise<TurnRow> {
  const { conversation, turn, work, governed } = beginning;
  const actor = withDeciders(beginning.actor, storedDeciders(conversation.deciders));
  await pin(ctx, conversation, beginning.answering);
  await disclose(ctx, conversation);
  const message = beginning.message ?? (await findMessage(ctx, turn.message));
  if (!message) throw new TypeError("a turn belongs to a message that exists");
  const input = inputOf(conversation, JSON.parse(message.parts) as Part[], beginning.after);
  const { task, approval } = acceptTask(ctx, actor, { ...work, input }, governed, {
    content: await contentDeciders(
      ctx,
      { agent: conversation.agent, version_id: work.version.id },
      work.skill.definition,
    ),
    ...{ agent: conversation.agent, task: chatSkill, requireApproval: false, priority: 0, deadline: null },
    ...{ notBefore: null, labels: conversation.labels, approval: null, conversation: conversation.id },
  });
  if (approval) await insertRow(ctx, newApprovals, approval);
  await insertRow(ctx, newTasks, task);
  if (approval) ctx.enqueue(wakeConversation(ctx.scope, conversation.id, task.id));
  const state = approval ? "awaiting_approval" : "running";
  const begun = await changeTurn(ctx, turn.id, { state, task: task.id, started_at: new Date(ctx.now) });
  const events: NewChatEvent[] = [turnChanged(begun)];
  if (message.status === "queued") {
    const read = await changeMessage(ctx, message.id, { status: "complete", completed_at: new Date(ctx.now) });
    events.unshift({ type: "chat.message.changed", data: { message: messageView(read) } });
  }
  await appendEvents(ctx, conversation.id, events);
  return begun;
}

/** The input of a turn's task, by what the user wrote. */
export function inputOf(
  { id, messages }: Pick<Row<"chat_conversations">, "id" | "messages">,
  parts: readonly Part[],
  after = messages,
): TurnInput {
  const files = parts.flatMap((part) => (part.type === "file" ? [part.file_id] : []));
  const message = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  return { message, conversation: id, after, ...(files.length > 0 && { files }) };
}

/** Pins the version that answers, and tells the user where it took the place of one that may not answer any more. */
async function pin(
  ctx: WriteContext,
  { id, version_id }: Row<"chat_conversations">,
  { version, moved }: Answering,
): Promise<void> {
  if (version_id === version.id) return;
  const pinned = { version_id: version.id, version_number: version.number };
  await all(ctx, update(ctx, "chat_conversations").set(pinned).where("id", "=", id));
  const text = `${moved}; version ${version.number} answers now.`;
  if (moved !== null) await addNotice(ctx, id, { code: "version_changed", text, writers: nobody });
  await tellConversation(ctx, id);
}
