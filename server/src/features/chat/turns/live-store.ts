import { all, first, type Row, select, sql } from "../../../db/scoped.ts";
import type { Image } from "../../../kernel/chat-turn.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { LeaseKey } from "../../tasks/public.ts";
import type { NewChatEvent } from "../conversations/event-store.ts";
import { type MessageRow, partsOf } from "../conversations/message-store.ts";
import { imageTypes } from "../files/images.ts";
import type { Part } from "../schemas.ts";
import { optionsOfTurn } from "./options.ts";

const mostMessages = 400;

export async function readTurn(ctx: QueryContext, { conversation, task, after, files }: Wanted) {
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
  const named = [...files, ...messages.flatMap((message) => filesIn(partsOf(message)))];
  const texts = await readFiles(ctx, conversation, named);
  const images = optionsOfTurn(turn).images ? await readImages(ctx, conversation, files) : [];
  return { row, turn, messages: messages.reverse(), memories, hosts, earlier, files: texts, images };
}
export type StoredTurn = NonNullable<Awaited<ReturnType<typeof readTurn>>>;

interface Wanted {
  readonly conversation: string;
  readonly task: string;
  readonly after: number;
  readonly files: readonly string[];
}

const filesIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.type === "file" ? [part.file_id] : []));

const listMemories = (ctx: QueryContext, conversation: string): Promise<Pick<Row<"chat_memories">, "text">[]> =>
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

async function listPages(ctx: QueryContext): Promise<string[]> {
  const channels = select(ctx, "chat_channels", "h").select("h.config").where("h.kind", "=", "web");
  const rows = await all(ctx, channels.where("h.enabled", "=", true));
  const origins = rows.flatMap(({ config }) => (config as { origins?: readonly string[] } | null)?.origins ?? []);
  return origins.flatMap((origin) => URL.parse(origin)?.hostname ?? []);
}

async function readFiles(ctx: QueryContext, conversation: string, ids: readonly string[]) {
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

async function readImages(ctx: QueryContext, conversation: string, ids: readonly string[]): Promise<Image[]> {
  const query = select(ctx, "chat_files", "f").select(["f.id", "f.media_type", "f.content"]);
  const named = query.where("f.conversation", "=", conversation).where("f.id", "=", sql<string>`any(${ids}::text[])`);
  const rows = await all(ctx, named);
  return rows
    .filter(({ media_type }) => imageTypes.has(media_type))
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map(({ media_type, content }) => ({ media_type, data: content.toString("base64") }));
}

async function findEarlierReply(ctx: QueryContext, turn: Row<"chat_turns">): Promise<MessageRow | undefined> {
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

export interface LiveReplyState {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly steps: readonly (number | null)[];
  readonly events: readonly NewChatEvent[];
  /** With the first part. */
  readonly begins?: {
    readonly turn: string;
    readonly agent: string;
    readonly auditRef: string;
    readonly replaces: string | null;
    readonly at: Date;
  };
}

export interface Stored {
  readonly number: number;
  readonly sequence: number;
}

/**
 * Whether a write whose answer was lost was stored. Only its run writes a reply, so an equal last event is that
 * write. Waits for whoever holds the conversation, which may be that statement.
 */
export async function findStored(
  ctx: QueryContext,
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

/** In one statement, under the run's lease. The conversation is locked first. Null: the lease is lost. */
export async function storeLive(
  db: Statements,
  { scope, task, owner }: LeaseKey,
  conversation: string,
  { id, parts, steps, events, begins }: LiveReplyState,
): Promise<Stored | null> {
  const given = [
    scope.organization,
    scope.environment,
    conversation,
    task,
    owner,
    id,
    JSON.stringify(parts),
    steps,
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
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

/** The message's number is known only here. */
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
