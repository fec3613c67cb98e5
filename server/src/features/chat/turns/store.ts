import { all, first, insert, type NewRow, type Row, select, sql, update } from "../../../db/scoped.ts";
import { type Actor, keyOfActor, storable } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { NewChatEvent } from "../conversations/event-store.ts";
import type { Turn } from "../schemas.ts";
import { openStates } from "./rules.ts";

export type TurnRow = Omit<Row<"chat_turns">, "state"> & Pick<Turn, "state">;
type Failure = NonNullable<Turn["failure"]>;

const turnJson = storedJson<{ failure: Failure }>();

/** The conversation is locked. */
export async function addTurn(
  ctx: WriteContext,
  actor: Actor,
  conversation: string,
  turn: Pick<NewRow<"chat_turns">, "message"> & Partial<Pick<NewRow<"chat_turns">, "options">>,
): Promise<TurnRow> {
  const { organization, environment } = ctx.scope;
  const acts = { principal: actor.owner, key_id: keyOfActor(actor), actor: storable(actor) };
  const row = {
    ...turn,
    ...acts,
    conversation,
    id: ctx.newId("tur"),
    state: "queued",
    created_at: new Date(ctx.now),
    number: sql<number>`(select coalesce(max(number), 0) + 1 from chat_turns
      where organization = ${organization} and environment = ${environment} and conversation = ${conversation})`,
  } as unknown as NewRow<"chat_turns">;
  return (await first(ctx, insert(ctx, "chat_turns", row).returningAll())) as TurnRow;
}

export interface TurnChanges extends Partial<Pick<TurnRow, "state" | "reply" | "task" | "started_at" | "finished_at">> {
  readonly failure?: Failure | null;
}

export async function changeTurn(
  ctx: WriteContext,
  id: string,
  { failure, ...changes }: TurnChanges,
): Promise<TurnRow> {
  const text = failure === undefined ? {} : { failure: failure && JSON.stringify(failure) };
  const query = update(ctx, "chat_turns").set({ ...changes, ...text });
  return (await first(ctx, query.where("id", "=", id).returningAll())) as TurnRow;
}

export const findTurn = (ctx: QueryContext, id: string): Promise<TurnRow | undefined> =>
  first(ctx, select(ctx, "chat_turns", "t").selectAll("t").where("t.id", "=", id)) as Promise<TurnRow | undefined>;

/** Open turns, and that of a task in any state, in order. */
export const listOpenTurns = (
  ctx: QueryContext,
  conversation: string,
  task: string | null = null,
): Promise<TurnRow[]> =>
  all(
    ctx,
    select(ctx, "chat_turns", "t")
      .selectAll("t")
      .where("t.conversation", "=", conversation)
      .where((turn) => turn.or([turn("t.state", "in", openStates), turn("t.task", "=", task)]))
      .orderBy("t.number"),
  ) as Promise<TurnRow[]>;

/** More than one where the message was answered again. */
export const listTurnsOf = (ctx: QueryContext, { conversation, message }: TurnRow): Promise<TurnRow[]> =>
  all(
    ctx,
    select(ctx, "chat_turns", "t")
      .selectAll("t")
      .where("t.conversation", "=", conversation)
      .where("t.message", "=", message)
      .orderBy("t.number"),
  ) as Promise<TurnRow[]>;

export const findLatestTurn = (ctx: QueryContext, conversation: string): Promise<TurnRow | undefined> =>
  first(
    ctx,
    select(ctx, "chat_turns", "t")
      .selectAll("t")
      .where("t.conversation", "=", conversation)
      .orderBy("t.number", "desc")
      .limit(1),
  ) as Promise<TurnRow | undefined>;

export const turnView = ({ id, state, message, reply, task, failure }: TurnRow): Turn => ({
  turn_id: id,
  state,
  message_id: message,
  reply_id: reply,
  task_id: task,
  failure: turnJson({ failure }, "failure"),
});

export const turnChanged = (turn: TurnRow): NewChatEvent => ({
  type: "chat.turn.changed",
  data: { turn: turnView(turn) },
});
