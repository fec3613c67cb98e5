import { noticeTexts } from "@aos/user-texts";
import { insertRow } from "../../../db/insert-row.ts";
import { all, type Row, update } from "../../../db/scoped.ts";
import { type Actor, storedDeciders, withDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import { chatSkill } from "../../agents/public.ts";
import { newApprovals } from "../../approvals/requests/public.ts";
import { acceptTask, contentDeciders, newTasks, type PinnedWork, wakeConversation } from "../../tasks/public.ts";
import { disclose } from "../conversations/disclosure.ts";
import { appendEvents, type NewChatEvent } from "../conversations/event-store.ts";
import { languageIn } from "../conversations/language.ts";
import { changeMessage, findMessage, type MessageRow, messageView, partsOf } from "../conversations/message-store.ts";
import { addNotice, publishConversation } from "../conversations/notices.ts";
import { nobody } from "../conversations/writers.ts";
import { peopleAnswer } from "../handoffs/rules.ts";
import type { Part } from "../schemas.ts";
import type { Answering, TurnInput } from "./answering.ts";
import { inInput, optionsOfTurn } from "./options.ts";
import { changeTurn, type TurnRow, turnChanged } from "./store.ts";

export interface Beginning {
  readonly conversation: Row<"chat_conversations">;
  readonly turn: TurnRow;
  readonly message?: MessageRow;
  readonly answering: Answering;
  readonly work: PinnedWork;
  readonly governed: Governed;
  /** Default: the latest. */
  readonly after?: number;
  readonly actor: Actor;
}

/** The conversation is locked. Everybody whose words the agent reads becomes a requester of its task. */
export async function beginTurn(ctx: WriteContext, beginning: Beginning): Promise<TurnRow> {
  const { conversation, turn, work, governed } = beginning;
  if (ctx.unpaid) throw new TypeError("no task begins that no budget pays for");
  if (peopleAnswer(conversation))
    throw refuse(conflict, "People answer in the conversation; hand it back to the agent first.");
  const actor = withDeciders(beginning.actor, storedDeciders(conversation.deciders));
  await pin(ctx, conversation, beginning.answering);
  await disclose(ctx, conversation);
  const message = beginning.message ?? (await findMessage(ctx, turn.message));
  if (!message) throw new TypeError("a turn belongs to a message that exists");
  const input = inputOf(conversation, partsOf(message), { turn, after: beginning.after });
  const { task, approval } = acceptTask(ctx, actor, { ...work, input }, governed, {
    content: await contentDeciders(
      ctx,
      { agent: conversation.agent, version_id: work.version.id },
      work.skill.definition,
    ),
    agent: conversation.agent,
    task: chatSkill,
    requireApproval: false,
    priority: 0,
    deadline: null,
    notBefore: null,
    labels: conversation.labels,
    approval: null,
    conversation: conversation.id,
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

export function inputOf(
  { id, messages }: Pick<Row<"chat_conversations">, "id" | "messages">,
  parts: readonly Part[],
  { turn, after = messages }: { readonly turn: Pick<TurnRow, "options">; readonly after?: number | undefined },
): TurnInput {
  const files = parts.flatMap((part) => (part.type === "file" ? [part.file_id] : []));
  const message = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  return { message, conversation: id, after, ...(files.length > 0 && { files }), ...inInput(optionsOfTurn(turn)) };
}

async function pin(
  ctx: WriteContext,
  conversation: Row<"chat_conversations">,
  { version, moved }: Answering,
): Promise<void> {
  const { id, version_id } = conversation;
  if (version_id === version.id) return;
  const pinned = { version_id: version.id, version_number: version.number };
  await all(ctx, update(ctx, "chat_conversations").set(pinned).where("id", "=", id));
  if (moved !== null) {
    ctx.note(`${moved}; version ${version.number} answers now`);
    const text = noticeTexts[await languageIn(ctx, conversation)].versionChanged;
    await addNotice(ctx, id, { code: "version_changed", text, writers: nobody });
  }
  await publishConversation(ctx, id);
}
