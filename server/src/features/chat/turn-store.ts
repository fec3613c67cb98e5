import { all, first, insert, type NewRow, type Row, select, sql, update } from "../../db/scoped.ts";
import { type Actor, keyOfActor, storable } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { NewChatEvent } from "./event-store.ts";
import type { Turn } from "./schemas.ts";
import { openStates } from "./turn-model.ts";

export type TurnRow = Omit<Row<"chat_turns">, "state"> & Pick<Turn, "state">;
type Looking = { readonly scope: Scope; readonly db: Statements };
type Failure = NonNullable<Turn["failure"]>;

/** Puts a turn in the name of an actor behind the others of a conversation, whose row is locked. */
export async function addTurn(
  ctx: WriteContext,
  actor: Actor,
  conversation: string,
  turn: Pick<NewRow<"chat_turns">, "message">,
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

/** Changes a turn of a conversation whose row is locked. */
export async function changeTurn(
  ctx: WriteContext,
  id: string,
  { failure, ...changes }: TurnChanges,
): Promise<TurnRow> {
  const text = failure === undefined ? {} : { failure: failure && JSON.stringify(failure) };
  const query = update(ctx, "chat_turns").set({ ...changes, ...text });
  return (await first(ctx, query.where("id", "=", id).returningAll())) as TurnRow;
}

export const findTurn = (ctx: Looking, id: string): Promise<TurnRow | undefined> =>
  first(ctx, select(ctx, "chat_turns", "t").selectAll("t").where("t.id", "=", id)) as Promise<TurnRow | undefined>;

/** The turns of a conversation that are not over, and that of a task, whatever it is; in their order. */
export const listOpenTurns = (ctx: Looking, conversation: string, task: string | null = null): Promise<TurnRow[]> =>
  all(
    ctx,
    select(ctx, "chat_turns", "t")
      .selectAll("t")
      .where("t.conversation", "=", conversation)
      .where((turn) => turn.or([turn("t.state", "in", openStates), turn("t.task", "=", task)]))
      .orderBy("t.number"),
  ) as Promise<TurnRow[]>;

/** The turns of a message, in their order: more than one where it was answered again. */
export const listTurnsOf = (ctx: Looking, { conversation, message }: TurnRow): Promise<TurnRow[]> =>
  all(
    ctx,
    select(ctx, "chat_turns", "t")
      .selectAll("t")
      .where("t.conversation", "=", conversation)
      .where("t.message", "=", message)
      .orderBy("t.number"),
  ) as Promise<TurnRow[]>;

/** The latest turn of a conversation. */
export const findLatestTurn = (ctx: Looking, conversation: string): Promise<TurnRow | undefined> =>
  first(
    ctx,
    select(ctx, "chat_turns", "t")
      .selectAll("t")
      .where("t.conversation", "=", conversation)
      .orderBy("t.number", "desc")
      .limit(1),
  ) as Promise<TurnRow | undefined>;

export const turnView = ({ id, state, message, reply, task, failure }: TurnRow): Turn => ({
  ...{ turn_id: id, state, message_id: message, reply_id: reply, task_id: task },
  failure: failure === null ? null : (JSON.parse(failure) as Failure),
});

export const turnChanged = (turn: TurnRow): NewChatEvent => ({
  type: "chat.turn.changed",
  data: { turn: turnView(turn) },
});
