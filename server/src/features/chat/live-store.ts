import { all, first, type Row, select, sql } from "../../db/scoped.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { LeaseKey } from "../runs/public.ts";
import type { NewChatEvent } from "./event-store.ts";
import type { MessageRow } from "./message-store.ts";
import type { Part } from "./schemas.ts";

type Looking = { readonly scope: Scope; readonly db: Statements };

/** Messages that a turn looks back at, at most. */
const mostMessages = 400;

/** What is stored of a turn and its conversation, as a run begins. */
export async function readTurn(ctx: Looking, { conversation, task, after, files }: Wanted) {
  const turns = select(ctx, "chat_turns", "t").selectAll("t");
  const [row, turn, messages, memories, hosts] = await Promise.all([
    first(ctx, select(ctx, "chat_conversations", "c").selectAll("c").where("c.id", "=", conversation)),
    first(ctx, turns.where("t.conversation", "=", conversation).where("t.task", "=", task)),
    all(
      ctx,
      select(ctx, "chat_messages", "m")
        .selectAll("m")
        .where("m.conversation", "=", conversation)
        .where((m) => m.or([m("m.number", "<=", after), m("m.task", "=", task)]))
        .orderBy("m.number", "desc")
        .limit(mostMessages),
    ) as Promise<MessageRow[]>,
    listMemories(ctx, conversation),
    listPages(ctx),
  ]);
  if (!row || !turn) return undefined;
  const earlier = await findEarlierReply(ctx, turn);
  const named = [...files, ...messages.flatMap(({ parts }) => filesIn(JSON.parse(parts) as Part[]))];
  const texts = await readFiles(ctx, conversation, named);
  return { row, turn, messages: messages.reverse(), memories, hosts, earlier, files: texts };
}
export type StoredTurn = NonNullable<Awaited<ReturnType<typeof readTurn>>>;

interface Wanted {
  readonly conversation: string;
  readonly task: string;
  /** Number of the last message that is shown. */
  readonly after: number;
  readonly files: readonly string[];
}

const filesIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.type === "file" ? [part.file_id] : []));

/** What is remembered of the conversation, and of its user. */
const listMemories = (ctx: Looking, conversation: string): Promise<Pick<Row<"chat_memories">, "text">[]> =>
  all(
    ctx,
    select(ctx, "chat_memories", "y")
      .select("y.text")
      .where((y) =>
        y.or([
          y("y.conversation", "=", conversation),
          y(
            "y.end_user",
            "=",
            select(ctx, "chat_conversations", "c").select("c.end_user").where("c.id", "=", conversation),
          ),
        ]),
      )
      .orderBy("y.id")
      .limit(100),
  );

/** Hosts of the pages on which the environment's channels let people converse. */
async function listPages(ctx: Looking): Promise<string[]> {
  const channels = select(ctx, "chat_channels", "h").select("h.config").where("h.kind", "=", "web");
  const rows = await all(ctx, channels.where("h.enabled", "=", true));
  const origins = rows.flatMap(({ config }) => (config as { origins?: readonly string[] } | null)?.origins ?? []);
  return origins.flatMap((origin) => URL.parse(origin)?.hostname ?? []);
}

async function readFiles(ctx: Looking, conversation: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Pick<Row<"chat_files">, "name" | "text">>();
  const rows = await all(
    ctx,
    select(ctx, "chat_files", "f")
      .select(["f.id", "f.name", "f.text"])
      .where("f.conversation", "=", conversation)
      .where("f.id", "=", sql<string>`any(${ids}::text[])`),
  );
  return new Map(rows.map(({ id, ...file }) => [id, file]));
}

/** The reply that a new one takes the place of: that of an earlier turn of the same message. */
async function findEarlierReply(ctx: Looking, turn: Row<"chat_turns">): Promise<MessageRow | undefined> {
  if (turn.reply !== null || turn.number === 1) return undefined;
  const replies = select(ctx, "chat_turns", "t")
    .select("t.reply")
    .where("t.conversation", "=", turn.conversation)
    .where("t.message", "=", turn.message)
    .where("t.number", "<", turn.number)
    .where("t.reply", "is not", null);
  const query = select(ctx, "chat_messages", "m")
    .selectAll("m")
    .where("m.conversation", "=", turn.conversation)
    .where("m.id", "in", replies as never);
  return (await first(ctx, query.orderBy("m.number", "desc"))) as MessageRow | undefined;
}

/** A reply as it is written. */
export interface LiveReplyState {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly steps: readonly (number | null)[];
  readonly events: readonly NewChatEvent[];
  /** Its first part: the message begins with it. */
  readonly begins?: {
    readonly turn: string;
    readonly agent: string;
    readonly auditRef: string;
    readonly replaces: string | null;
    readonly at: Date;
  };
}

/** Where something that was written of a reply stands: the message's number, and the sequence of its last event. */
export interface Stored {
  readonly number: number;
  readonly sequence: number;
}

/**
 * Whether something was stored whose answer was lost, behind the event that the reply had last; undefined where it was not. What is told of a reply is told by its run
 * alone, so the same event once more is the same one. Waits for whoever holds the conversation, which may be the statement whose answer nobody got.
 */
export async function findStored(
  ctx: Looking,
  conversation: string,
  { id, events }: LiveReplyState,
  after: number,
): Promise<Stored | undefined> {
  const last = events.at(-1);
  if (!last) return undefined;
  const locked = select(ctx, "chat_conversations", "c").select("c.id").where("c.id", "=", conversation);
  await all(ctx, locked.forUpdate());
  const stored = select(ctx, "chat_events", "e").select("e.sequence").where("e.conversation", "=", conversation);
  const alike = stored.where("e.type", "=", last.type).where("e.data", "=", JSON.stringify(last.data));
  const told = await first(ctx, alike.where("e.sequence", ">", after).orderBy("e.sequence"));
  const message =
    told && (await first(ctx, select(ctx, "chat_messages", "m").select("m.number").where("m.id", "=", id)));
  return message && { ...told, ...message };
}

/**
 * Stores what was written of a reply under its run's lease, with the events by which followers hear of it, in one statement. The conversation is locked first, as by
 * everybody. Null where the lease is lost.
 */
export async function storeLive(
  db: Statements,
  { scope, task, owner }: LeaseKey,
  conversation: string,
  { id, parts, steps, events, begins }: LiveReplyState,
): Promise<Stored | null> {
  const given = [
    ...[scope.organization, scope.environment, conversation, task, owner, id],
    ...[JSON.stringify(parts), steps, events.map(({ type }) => type), events.map(({ data }) => JSON.stringify(data))],
  ];
  const { turn, agent, auditRef, replaces, at } = begins ?? {};
  const [row] = await (begins
    ? db.query<Stored>(begin, [...given, turn, agent, auditRef, replaces, at])
    : db.query<Stored>(goOn, given));
  return row ?? null;
}

const same = (alias: string): string =>
  `${alias}.organization = $1 and ${alias}.environment = $2 and ${alias}.conversation = $3`;
const held = `locked as (select c.organization, c.environment, c.id from chat_conversations c
    where c.organization = $1 and c.environment = $2 and c.id = $3 for update),
  held as (select t.id from locked, tasks t where t.organization = $1 and t.environment = $2 and t.id = $4
    and t.lease_owner = $5 and t.status = 'running' for share of t)`;
const told = (more: string): string => `told as (update chat_conversations c
    set sequence = c.sequence + cardinality($9::text[])${more} from held
    where c.organization = $1 and c.environment = $2 and c.id = $3 returning c.sequence, c.messages)`;
const toTell = (
  data: string,
): string => `events as (insert into chat_events (organization, environment, conversation, sequence, type, data)
    select $1, $2, $3, told.sequence - cardinality($9::text[]) + e.place, e.type, ${data}
    from told, unnest($9::text[], $10::text[]) with ordinality as e(type, data, place))`;

const goOn = `with ${held}, ${told("")}, ${toTell("e.data")}
  update chat_messages m set parts = $7, part_steps = $8::integer[], status = 'streaming' from told
  where ${same("m")} and m.id = $6 returning m.number, told.sequence`;

/** The number of the message is known only here. */
const numbered = `case e.type when 'chat.message.created'
  then jsonb_set(e.data::jsonb, '{message,number}', to_jsonb(told.messages))::text else e.data end`;
const begin = `with ${held}, ${told(", messages = c.messages + 1, last_message_at = $15::timestamptz, updated_at = $15::timestamptz")},
  ${toTell(numbered)},
  turned as (update chat_turns t set reply = $6 from told where ${same("t")} and t.id = $11),
  replaced as (update chat_messages m set replaced_by = $6 from told where ${same("m")} and m.id = $14)
  insert into chat_messages (organization, environment, conversation, id, number, role, author, author_name, turn, task, status, parts,
    part_steps, generated, replaces, audit_ref, created_at)
  select $1, $2, $3, $6, told.messages, 'agent', $12, $12, $11, $4, 'streaming', $7, $8::integer[], true, $14, $13, $15 from told
  returning number, (select sequence from told) as sequence`;
