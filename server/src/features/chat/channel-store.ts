import {
  all,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  remove,
  select,
  sql,
  update,
} from "../../db/scoped.ts";
import { type Actor, storable } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { defineFacts } from "../../kernel/facts.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import { type ChannelKind, channelNamePattern } from "./channel-schemas.ts";

type Looking = { readonly scope: Scope; readonly db: Statements };

export interface ChannelRow extends Omit<Row<"chat_channels">, "kind" | "config"> {
  readonly kind: ChannelKind;
  readonly config: object;
}

/** A channel with what is known of its replies. */
export interface ChannelWithDeliveries extends ChannelRow {
  readonly waiting: number;
  readonly failed: number;
  readonly delivery_error: string | null;
  /** The last attempt to send failed. */
  readonly sends_fail: boolean;
}

const possibleName = new RegExp(channelNamePattern);
export const canBeName = (text: string): boolean => possibleName.test(text);

export async function findChannel(ctx: Looking, name: string): Promise<ChannelRow | undefined> {
  if (!canBeName(name)) return undefined;
  const query = select(ctx, "chat_channels", "c").selectAll("c").where("c.name", "=", name);
  return (await first(ctx, query)) as ChannelRow | undefined;
}

function selectChannels(ctx: Looking) {
  const { organization, environment } = ctx.scope;
  const deliveries = sql`from chat_deliveries d where d.organization = ${organization} and d.environment = ${environment}
    and d.channel = c.name and d.state <> 'sent'`;
  return select(ctx, "chat_channels", "c")
    .selectAll("c")
    .select([
      sql<number>`(select count(*)::int ${deliveries} and d.state = 'waiting')`.as("waiting"),
      sql<number>`(select count(*)::int ${deliveries} and d.state = 'failed')`.as("failed"),
      sql<
        string | null
      >`(select d.last_error ${deliveries} and d.last_error is not null order by d.next_at desc limit 1)`.as(
        "delivery_error",
      ),
      sql<boolean>`exists (select ${deliveries} and d.state = 'waiting' and d.last_error is not null)`.as("sends_fail"),
    ]);
}

export const listChannelRows = (ctx: Looking, page: PageRequest): Promise<ChannelWithDeliveries[]> =>
  all(ctx, newestFirst(selectChannels(ctx), "c.name", page)) as Promise<ChannelWithDeliveries[]>;

export const readChannel = (ctx: Looking, name: string): Promise<ChannelWithDeliveries> =>
  first(ctx, selectChannels(ctx).where("c.name", "=", name)) as Promise<ChannelWithDeliveries>;

const inNameOf = (actor: Actor) => ({
  actor: storable(actor),
  created_by: actor.owner,
  stopped_reason: null,
  stopped_at: null,
});

/** Makes a channel or replaces its settings. One that stopped starts again. */
export async function putChannel(
  ctx: Looking,
  actor: Actor,
  settings: Omit<NewRow<"chat_channels">, "actor" | "created_by" | "stopped_reason" | "stopped_at">,
): Promise<void> {
  const row = { ...settings, ...inNameOf(actor) };
  const { name: _name, created_at: _at, revision: _revision, ...changes } = row;
  const query = insert(ctx, "chat_channels", row).onConflict((on) =>
    on.columns(["organization", "environment", "name"]).doUpdateSet({
      ...changes,
      revision: sql<number>`chat_channels.revision + 1`,
    } as never),
  );
  await all(ctx, query);
}

/** The channel, locked until the transaction ends. */
export const lockChannel = (ctx: Looking, name: string): Promise<ChannelRow | undefined> =>
  first(ctx, select(ctx, "chat_channels", "c").selectAll("c").where("c.name", "=", name).forUpdate()) as Promise<
    ChannelRow | undefined
  >;

/** Gives a channel to another owner. One that stopped starts again: its mailbox is read on from where that ended. */
export async function giveChannel(ctx: WriteContext, { name, kind, enabled }: ChannelRow, actor: Actor): Promise<void> {
  const now = new Date(ctx.now);
  const read = kind === "email" && enabled ? { next_read_at: now } : {};
  const changes = { ...inNameOf(actor), ...read, updated_at: now, revision: sql<number>`revision + 1` };
  await all(ctx, update(ctx, "chat_channels").set(changes).where("name", "=", name));
}

/** Stops a channel that nobody has set meanwhile; false: it was stopped or set. */
export async function stopChannel(ctx: WriteContext, { name, revision }: ChannelRow, reason: string): Promise<boolean> {
  const stopped = { stopped_reason: reason, stopped_at: new Date(ctx.now), next_read_at: null };
  const query = update(ctx, "chat_channels").set(stopped).where("name", "=", name).where("revision", "=", revision);
  return (await all(ctx, query.where("stopped_reason", "is", null).returning("name"))).length === 1;
}

/** Its conversations stay; replies that wait are not sent any more. */
export async function deleteChannel(ctx: Looking, name: string): Promise<void> {
  await all(ctx, remove(ctx, "chat_deliveries").where("channel", "=", name).where("state", "=", "waiting"));
  await all(ctx, remove(ctx, "chat_channels").where("name", "=", name));
}

/** Notes up to where a mailbox was read, or why it was not. A mailbox that was set anew meanwhile keeps what was set. */
export async function noteRead(
  ctx: Looking,
  { name, revision }: Pick<ChannelRow, "name" | "revision">,
  noted: { readonly reader?: object; readonly error: string | null; readonly at: Date | null },
): Promise<void> {
  const changes = {
    last_error: noted.error,
    ...(noted.reader && { reader: JSON.stringify(noted.reader) }),
    ...(noted.at && { last_read_at: noted.at }),
  };
  await all(ctx, update(ctx, "chat_channels").set(changes).where("name", "=", name).where("revision", "=", revision));
}

export interface ChannelPlace extends Scope {
  readonly name: string;
}

/** Takes up the mailboxes whose time has come, over all scopes. */
export const takeDueMailboxes = (db: Statements, now: Date, most: number): Promise<ChannelPlace[]> =>
  db.query(
    `update chat_channels c set next_read_at = $1::timestamptz + make_interval(secs => coalesce((c.config ->> 'poll_seconds')::int, 60))
     from (select organization, environment, name from chat_channels where next_read_at <= $1 order by next_read_at limit $2 for update skip locked) due
     where c.organization = due.organization and c.environment = due.environment and c.name = due.name
     returning c.organization, c.environment, c.name`,
    [now, most],
  );

interface SignedChannel {
  readonly scope: Scope;
  readonly sealed: Buffer;
}

/** Enabled channels whose calls are signed, of all environments by name: only the signature says which one is called. */
export const channelFacts = defineFacts<ReadonlyMap<string, readonly SignedChannel[]>>({
  topic: "chat_channels",
  async load(db) {
    const rows = await db.query<{ organization: string; environment: Environment; name: string; secret: Buffer }>(
      "select organization, environment, name, secret from chat_channels where kind = 'slack' and enabled and secret is not null",
    );
    const channels = rows.map(({ organization, environment, name, secret }) => ({
      ...{ name, scope: { organization, environment }, sealed: secret },
    }));
    return Map.groupBy(channels, ({ name }) => name);
  },
});
