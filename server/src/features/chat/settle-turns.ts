import { isDeepStrictEqual } from "node:util";
import { all, select } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { askedOf, findTask, isFinal, listCalls, type TaskRow } from "../tasks/public.ts";
import { deliverReply } from "./delivery-store.ts";
import type { NewChatEvent } from "./event-store.ts";
import { appendEvents } from "./event-store.ts";
import { messageCompleted } from "./events.ts";
import { changeMessage, findMessage, type MessageRow, messageView } from "./message-store.ts";
import type { Message, Part } from "./schemas.ts";
import { untoldAnswer, withoutForeignLinks } from "./settle-answer.ts";
import {
  type Asked,
  endText,
  hasAnswer,
  withApprovals,
  withCalls,
  withCitations,
  withEnd,
  withoutEnd,
  withQuestion,
} from "./settle-parts.ts";
import { stateByTask } from "./turn-model.ts";
import { partEvents, startReply } from "./turn-reply.ts";
import { changeTurn, listOpenTurns, type TurnRow, turnChanged } from "./turn-store.ts";

interface Talk {
  readonly id: string;
  readonly agent: string;
  readonly channel: string;
}

/**
 * Compares the open turns of a conversation with their tasks, and the turn of `task` whatever it is: their states, and what their replies say. The conversation is
 * locked. Returns the turns as they are then, in their order.
 */
export async function settleTurns(
  ctx: WriteContext,
  conversation: Talk,
  task: string | null = null,
): Promise<readonly TurnRow[]> {
  const turns = await listOpenTurns(ctx, conversation.id, task);
  const tasks = new Map<TurnRow, TaskRow>();
  for (const turn of turns) {
    const row = turn.task === null ? undefined : await findTask(ctx, turn.task);
    if (row) tasks.set(turn, row);
  }
  const goesOn = (turn: TurnRow): boolean => {
    const row = tasks.get(turn);
    return row !== undefined && stateByTask(row.status, true) === "running";
  };
  const runs = turns.find((turn) => turn.state === "running" && goesOn(turn)) ?? turns.find(goesOn);
  const settled = new Map(turns.map((turn) => [turn.number, turn]));
  // The one that runs comes last: another one may be about to leave that state.
  for (const [turn, row] of [...tasks].sort(([a], [b]) => Number(a === runs) - Number(b === runs)))
    settled.set(turn.number, await settleTurn(ctx, conversation, turn, row, turn === runs));
  return [...settled.values()];
}

async function settleTurn(
  ctx: WriteContext,
  conversation: Talk,
  turn: TurnRow,
  task: TaskRow,
  free: boolean,
): Promise<TurnRow> {
  const state = stateByTask(task.status, free);
  await settleReply(ctx, conversation, turn, task);
  if (state === turn.state) return turn;
  const over = isFinal(task.status);
  const now = await changeTurn(ctx, turn.id, {
    state,
    finished_at: over ? new Date(ctx.now) : null,
    failure: over && task.status !== "completed" ? failureOf(task) : null,
  });
  await appendEvents(ctx, conversation.id, [turnChanged(now)]);
  return now;
}

function failureOf({ status, failure }: TaskRow) {
  const { code = status } = JSON.parse(failure ?? "{}") as { code?: string };
  return { code, detail: endText(endOf(status)) };
}

const endOf = (status: TaskRow["status"]) =>
  status === "blocked" || status === "rejected" || status === "expired" || status === "cancelled" ? status : "failed";

const statuses: Readonly<Record<TaskRow["status"], Message["status"]>> = {
  queued: "streaming",
  running: "streaming",
  awaiting_approval: "waiting",
  input_required: "waiting",
  completed: "complete",
  cancelled: "stopped",
  failed: "failed",
  expired: "failed",
  rejected: "failed",
  blocked: "failed",
};

/** Writes what the reply says by now: its parts, whether it waits, and how it ended. A run that goes on writes its parts itself. */
async function settleReply(ctx: WriteContext, conversation: Talk, turn: TurnRow, task: TaskRow): Promise<void> {
  const status = statuses[task.status];
  const known = turn.reply === null ? undefined : await findMessage(ctx, turn.reply);
  if (status === "streaming" && (!known || known.status === status)) return;
  if (known?.status === "retracted") return;
  const message = known ?? (await startReply(ctx, { id: conversation.id, agent: task.agent }, turn, task.id));
  const before = JSON.parse(message.parts) as Part[];
  const parts = await partsNow(ctx, task, before);
  if (message.status === status && isDeepStrictEqual(parts, before)) return;
  const over = isFinal(task.status);
  const changed = await changeMessage(ctx, message.id, {
    ...{ status, parts, trust_score: task.trust_score },
    completed_at: over ? (task.finished_at ?? new Date(ctx.now)) : null,
    ...(over && task.result_ref !== null && { audit_ref: task.result_ref }),
  });
  await appendEvents(ctx, conversation.id, toldOf(before, parts, changed, over));
  if (status !== "streaming") await deliverReply(ctx, conversation, message);
  if (!over) return;
  const { id: conversation_id, agent, channel } = conversation;
  ctx.emit(messageCompleted, { conversation_id, agent, channel, message_id: message.id, role: "agent" });
}

/** What followers are told: new parts one by one where the others stand as they were, and the message as it is then. */
function toldOf(before: readonly Part[], parts: readonly Part[], message: MessageRow, over: boolean): NewChatEvent[] {
  const isLonger = isDeepStrictEqual(parts.slice(0, before.length), before);
  const added = isLonger ? parts.slice(before.length) : [];
  return [
    ...added.flatMap((part, at) => partEvents(message.id, before.length + at, part)),
    { type: over ? "chat.message.completed" : "chat.message.changed", data: { message: messageView(message) } },
  ];
}

async function partsNow(ctx: WriteContext, task: TaskRow, before: readonly Part[]): Promise<Part[]> {
  const over = isFinal(task.status);
  const asked = await approvalsOf(ctx, task);
  const now = withApprovals(withoutEnd(before), asked, `${ctx.appUrl}/approvals/${task.id}`);
  if (statuses[task.status] === "streaming") return now;
  const calls = await listCalls(ctx.db, ctx.scope, task.id);
  const parts = withCalls(now, calls, over ? "over" : "waits");
  if (task.status === "completed") {
    const answered = hasAnswer(parts) ? parts : [...parts, ...(await untoldAnswer(ctx, task))];
    return withCitations(answered, calls);
  }
  if (over) return withEnd(parts, endOf(task.status));
  const question = task.status === "input_required" ? askedOf(task) : null;
  if (!question) return parts;
  const shown = await withoutForeignLinks(ctx, task.version_id);
  return withQuestion(parts, { text: shown(question.text), options: question.options?.map(shown) ?? null });
}

/** The approvals that a task asked for. What they say can hold arguments that a model wrote. */
async function approvalsOf(ctx: WriteContext, { id, version_id }: TaskRow): Promise<Asked[]> {
  const query = select(ctx, "approvals", "a").select(["a.id", "a.status", "a.summary"]);
  const rows = (await all(ctx, query.where("a.task_id", "=", id).orderBy("a.id"))) as Asked[];
  if (rows.length === 0) return rows;
  const shown = await withoutForeignLinks(ctx, version_id);
  return rows.map((row) => ({ ...row, summary: shown(row.summary) }));
}
