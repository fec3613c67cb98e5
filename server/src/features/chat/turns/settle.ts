import { isDeepStrictEqual } from "node:util";
import { languageFor, noticeTexts, type UserLanguage } from "@aos/user-texts";
import { all, select } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { membersOf, storedJson } from "../../../kernel/stored-json.ts";
import { findChat, findVersion, isRunnable } from "../../agents/public.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { askedOf, findTask, isFinal, listCalls, type TaskRow } from "../../tasks/public.ts";
import { deliverReply } from "../channels/delivery-store.ts";
import { appendEvents, type NewChatEvent } from "../conversations/event-store.ts";
import {
  addMessage,
  changeMessage,
  findMessage,
  type MessageRow,
  messageView,
  partsOf,
} from "../conversations/message-store.ts";
import { nobody } from "../conversations/writers.ts";
import { messageCompleted } from "../events.ts";
import type { Message, Part } from "../schemas.ts";
import { withCitations } from "./citations.ts";
import {
  type Asked,
  type EndStatus,
  endText,
  hasAnswer,
  textOfOutput,
  withApprovals,
  withCalls,
  withEnd,
  withoutEnd,
  withQuestion,
} from "./parts.ts";
import { ReplyFilter } from "./reply-filter.ts";
import { linkableHosts, mustBeJudged } from "./reply-rules.ts";
import { stateByTask } from "./rules.ts";
import { changeTurn, listOpenTurns, listTurnsOf, type TurnRow, turnChanged } from "./store.ts";

interface Talk {
  readonly id: string;
  readonly agent: string;
  readonly channel: string;
  /** Language tag; null: that of what was written. */
  readonly language: string | null;
}

/** The language of what the service says in a turn. */
const languageOf = ({ language }: Pick<Talk, "language">, { input }: Pick<TaskRow, "input">): UserLanguage => {
  const { message } = membersOf(input);
  return languageFor(language, typeof message === "string" ? message : "");
};

/** Brings open turns, and that of `task`, up to their tasks. The conversation is locked. Returns the turns in order. */
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
    failure: over && task.status !== "completed" ? failureOf(task, languageOf(conversation, task)) : null,
  });
  await appendEvents(ctx, conversation.id, [turnChanged(now)]);
  return now;
}

const taskJson = storedJson<{ failure: { readonly code?: string } }>();

const codeOf = (task: TaskRow): string => taskJson(task, "failure")?.code ?? task.status;

const failureOf = (task: TaskRow, language: UserLanguage) => ({
  code: codeOf(task),
  detail: endText(endOf(task), language),
});

function endOf(task: TaskRow): EndStatus {
  const { status } = task;
  if (status === "expired" && codeOf(task) === "results_missing") return "abandoned";
  return status === "blocked" || status === "rejected" || status === "expired" || status === "cancelled"
    ? status
    : "failed";
}

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

/** A running task writes its parts itself. */
async function settleReply(ctx: WriteContext, conversation: Talk, turn: TurnRow, task: TaskRow): Promise<void> {
  const status = statuses[task.status];
  const known = turn.reply === null ? undefined : await findMessage(ctx, turn.reply);
  if (status === "streaming" && (!known || known.status === status)) return;
  if (known?.status === "retracted") return;
  const message = known ?? (await startReply(ctx, { id: conversation.id, agent: task.agent }, turn, task.id));
  const before = partsOf(message);
  const parts = await partsNow(ctx, task, before, languageOf(conversation, task));
  if (message.status === status && isDeepStrictEqual(parts, before)) return;
  const over = isFinal(task.status);
  const changed = await changeMessage(ctx, message.id, {
    status,
    parts,
    trust_score: task.trust_score,
    completed_at: over ? (task.finished_at ?? new Date(ctx.now)) : null,
    ...(over && task.result_ref !== null && { audit_ref: task.result_ref }),
  });
  await appendEvents(ctx, conversation.id, toldOf(before, parts, changed, over));
  if (status !== "streaming") await deliverReply(ctx, conversation, message);
  if (!over) return;
  const { id: conversation_id, agent, channel } = conversation;
  ctx.emit(messageCompleted, { conversation_id, agent, channel, message_id: message.id, role: "agent" });
}

function toldOf(before: readonly Part[], parts: readonly Part[], message: MessageRow, over: boolean): NewChatEvent[] {
  const isLonger = isDeepStrictEqual(parts.slice(0, before.length), before);
  const added = isLonger ? parts.slice(before.length) : [];
  return [
    ...added.flatMap((part, at) => partEvents(message.id, before.length + at, part)),
    { type: over ? "chat.message.completed" : "chat.message.changed", data: { message: messageView(message) } },
  ];
}

async function partsNow(
  ctx: WriteContext,
  task: TaskRow,
  before: readonly Part[],
  language: UserLanguage,
): Promise<Part[]> {
  const over = isFinal(task.status);
  const asked = await approvalsOf(ctx, task);
  const now = withApprovals(withoutEnd(before), asked, `${ctx.appUrl}/approvals/${task.id}`);
  if (statuses[task.status] === "streaming") return now;
  const calls = await listCalls(ctx.db, ctx.scope, task.id);
  const parts = withCalls(now, calls, over ? "over" : "waits");
  if (task.status === "completed") {
    const answered = hasAnswer(parts) ? parts : [...parts, ...(await untoldAnswer(ctx, task, language))];
    return withCitations(answered, calls);
  }
  if (over) return withEnd(parts, endOf(task), language);
  const question = task.status === "input_required" ? askedOf(task) : null;
  if (!question || question.kind === "results") return parts;
  const shown = await withoutForeignLinks(ctx, task.version_id);
  return withQuestion(parts, { text: shown(question.text), options: question.options?.map(shown) ?? null });
}

/** Summaries can hold arguments that a model wrote. */
async function approvalsOf(ctx: WriteContext, { id, version_id }: TaskRow): Promise<Asked[]> {
  const query = select(ctx, approvalRows, "a").select(["a.id", "a.status", "a.summary"]);
  const rows = (await all(ctx, query.where("a.task_id", "=", id).orderBy("a.id"))) as Asked[];
  if (rows.length === 0) return rows;
  const shown = await withoutForeignLinks(ctx, version_id);
  return rows.map((row) => ({ ...row, summary: shown(row.summary) }));
}

/** An empty message that replaces an earlier reply to the same message. The conversation is locked. */
async function startReply(
  ctx: WriteContext,
  { id, agent }: { readonly id: string; readonly agent: string },
  turn: TurnRow,
  task: string,
): Promise<MessageRow> {
  const earlier = (await listTurnsOf(ctx, turn)).findLast(
    ({ number, reply }) => number < turn.number && reply !== null,
  );
  const row = await addMessage(ctx, id, {
    id: ctx.newId("msg"),
    role: "agent",
    author: agent,
    author_name: agent,
    status: "streaming",
    parts: [],
    writers: nobody,
    turn: turn.id,
    task,
    generated: true,
    replaces: earlier?.reply ?? null,
  });
  const events: NewChatEvent[] = [{ type: "chat.message.created", data: { message: messageView(row) } }];
  const replaced = earlier?.reply && (await findMessage(ctx, earlier.reply));
  if (replaced) {
    const changed = await changeMessage(ctx, replaced.id, { replaced_by: row.id });
    events.push({ type: "chat.message.changed", data: { message: messageView(changed) } });
  }
  const told = await changeTurn(ctx, turn.id, { reply: row.id });
  await appendEvents(ctx, id, [...events, turnChanged(told)]);
  return row;
}

function partEvents(message_id: string, index: number, part: Part): NewChatEvent[] {
  const at = { message_id, index };
  if (part.type !== "text")
    return [
      { type: "chat.part.started", data: { ...at, part } },
      { type: "chat.part.completed", data: { ...at, part } },
    ];
  return [
    { type: "chat.part.started", data: { ...at, part: { type: "text", text: "" } } },
    { type: "chat.part.delta", data: { ...at, text: part.text } },
    { type: "chat.part.completed", data: { ...at, part } },
  ];
}

/** An answer that the run did not report, without links to elsewhere, and withheld where policies would have to judge it. */
async function untoldAnswer(
  ctx: WriteContext,
  { version_id, output }: TaskRow,
  language: UserLanguage,
): Promise<Part[]> {
  const answer = textOfOutput(output);
  if (answer === "") return [];
  if (mustBeJudged(ctx)) return [{ type: "notice", code: "withheld", text: noticeTexts[language].withheld }];
  const text = (await withoutForeignLinks(ctx, version_id))(answer);
  return text === "" ? [] : [{ type: "text", text }];
}

async function withoutForeignLinks(ctx: WriteContext, version: string): Promise<(text: string) => string> {
  const definition = (await findVersion(ctx, version))?.definition;
  const chat = definition && findChat(definition);
  const work = chat && { definition, skill: chat.definition, tools: chat.tools.filter(isRunnable) };
  const hosts: ReadonlySet<string> = work ? await linkableHosts(ctx, work) : new Set();
  return (text) => {
    const filter = new ReplyFilter({ hosts });
    return filter.take(text) + filter.end();
  };
}
