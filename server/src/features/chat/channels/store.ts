import { all, remove, sql, update } from "../../../db/scoped.ts";
import { seal, unseal } from "../../../db/secrets.ts";
import { type Actor, storable } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { DependentSource } from "../../agents/public.ts";
import { channelRows, channels } from "./resource.ts";
import type { ChannelJson, ChannelRow } from "./view.ts";

const inNameOf = (actor: Actor) => ({
  actor: storable(actor),
  created_by: actor.owner,
  stopped_reason: null,
  stopped_at: null,
});

type ChannelSettings = Pick<ChannelRow, "name" | "kind" | "agent" | "enabled" | "secret" | "next_read_at"> &
  ChannelJson;

/** A stopped channel starts again. */
export const putChannel = (ctx: WriteContext, actor: Actor, { name, ...settings }: ChannelSettings) => {
  const now = new Date(ctx.now);
  const changes = { ...settings, ...inNameOf(actor), last_error: null, updated_at: now };
  const revision = sql<number>`chat_channels.revision + 1`;
  return channels.rows.put(ctx, { ...changes, name, created_at: now }, { ...changes, revision });
};

/** A stopped channel starts again; its mailbox is read from where it ended. */
export async function giveChannel(ctx: WriteContext, { name, kind, enabled }: ChannelRow, actor: Actor): Promise<void> {
  const now = new Date(ctx.now);
  const read = kind === "email" && enabled ? { next_read_at: now } : {};
  await channelRows.revise(ctx, name, { ...inNameOf(actor), ...read });
}

/** False if somebody stopped or set it meanwhile. */
export async function stopChannel(ctx: WriteContext, { name, revision }: ChannelRow, reason: string): Promise<boolean> {
  const stopped = { stopped_reason: reason, stopped_at: new Date(ctx.now), next_read_at: null };
  const query = update(ctx, "chat_channels").set(stopped).where("name", "=", name).where("revision", "=", revision);
  return (await all(ctx, query.where("stopped_reason", "is", null).returning("name"))).length === 1;
}

/** Its conversations stay; waiting replies are not sent. */
export async function deleteChannel(ctx: WriteContext, name: string): Promise<void> {
  await all(ctx, remove(ctx, "chat_deliveries").where("channel", "=", name).where("state", "=", "waiting"));
  await channelRows.remove(ctx, name);
}

/** Does nothing if the channel was set again meanwhile. */
export async function noteRead(
  ctx: QueryContext,
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

/** Over all scopes. */
export const takeDueMailboxes = (db: Statements, now: Date, most: number): Promise<ChannelPlace[]> =>
  db.query(
    `update chat_channels c set next_read_at = $1::timestamptz + make_interval(secs => coalesce((c.config ->> 'poll_seconds')::int, 60))
     from (select organization, environment, name from chat_channels where next_read_at <= $1 order by next_read_at limit $2 for update skip locked) due
     where c.organization = due.organization and c.environment = due.environment and c.name = due.name
     returning c.organization, c.environment, c.name`,
    [now, most],
  );

const contextOf = ({ organization, environment }: Scope, channel: string): string =>
  `chat channel ${organization} ${environment} ${channel}`;

/** Bound to its row, so that it opens in no other. */
export const sealSecret = (key: Buffer, scope: Scope, channel: string, secret: object): Buffer =>
  seal(key, Buffer.from(JSON.stringify(secret)), contextOf(scope, channel));

/** Throws if the key does not open it. */
export function openSecret<T>(key: Buffer, scope: Scope, channel: string, sealed: Buffer | null): T {
  const plain = sealed === null ? undefined : unseal(key, sealed, contextOf(scope, channel));
  if (plain === undefined)
    throw new Error(`the secret of the channel ${channel} does not open under the credential key`);
  return storedJson<{ secret: T }>()({ secret: plain.toString() }, "secret");
}

export const dependentChannels: DependentSource = {
  kind: "channel",
  permission: "chat:read",
  async find({ scope, db }, agent, _within, take) {
    const rows = await db.query<{ name: string; enabled: boolean }>(
      `select name, enabled from chat_channels where organization = $1 and environment = $2 and agent = $3 order by name limit $4`,
      [scope.organization, scope.environment, agent, take],
    );
    return rows.map(({ name, enabled }) => ({
      id: name,
      name,
      state: enabled ? "enabled" : "disabled",
      active: enabled,
      path: "/v1/chat/channels",
    }));
  },
};
