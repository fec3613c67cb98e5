import type { Incoming } from "../receive.ts";
import type { SlackChannelConfig } from "../schemas.ts";

/** `thread` is null in direct messages, which are one conversation. */
export interface SlackPlace {
  readonly channel: string;
  readonly thread: string | null;
}

export interface SlackApp {
  readonly user_id?: unknown;
  readonly team_id?: unknown;
  readonly bot_id?: unknown;
}

type Json = Readonly<Record<string, unknown>>;
const longestText = 32_000;

const textIn = (value: unknown, pattern: RegExp): string | null =>
  typeof value === "string" && pattern.test(value) ? value : null;
const idIn = (value: unknown): string | null => textIn(value, /^[A-Z0-9]{1,40}$/);
const timeIn = (value: unknown): string | null => textIn(value, /^[0-9]{1,20}\.[0-9]{1,10}$/);

export const challengeOf = ({ type, challenge }: Json): string | null =>
  type === "url_verification" ? textIn(challenge, /^[\x21-\x7e]{1,500}$/) : null;

/** Null: nothing for the agent. `isKnown`: whether a thread is a conversation already. */
export async function incomingOf(
  body: Json,
  app: SlackApp,
  { respond_to = "mentions" }: SlackChannelConfig,
  isKnown: (thread: string) => Promise<boolean>,
): Promise<Incoming | null> {
  const { type, team_id } = body;
  const event = (typeof body.event === "object" && body.event !== null ? body.event : {}) as Json;
  const [team, channel, user] = [idIn(team_id), idIn(event.channel), idIn(event.user)];
  const ts = timeIn(event.ts);
  if (type !== "event_callback" || !team || !channel || !user || !ts || !isFromPerson(event, app)) return null;
  const isDirect = event.channel_type === "im";
  const mentioned = textOf(event).includes(`<@${String(app.user_id)}>`) || event.type === "app_mention";
  const parent = timeIn(event.thread_ts);
  const thread = isDirect ? `${team}:${channel}` : `${team}:${channel}:${parent ?? ts}`;
  if (!isDirect && !mentioned && respond_to === "mentions" && !(parent !== null && (await isKnown(thread))))
    return null;
  const text = plainText(textOf(event), app).slice(0, longestText);
  if (text === "") return null;
  const place: SlackPlace = { channel, thread: isDirect ? null : (parent ?? ts) };
  return {
    externalId: `${team}:${channel}:${ts}`,
    thread,
    answers: [],
    author: user,
    // Several people write in the threads of a channel: what is kept of one of them is not for the others.
    user: isDirect ? `slack:${team}:${user}` : null,
    authorId: `slack:${team}:${user}`,
    text,
    files: [],
    title: null,
    context: { channel: "slack", direct: isDirect },
    address: { ...place },
    isOfThread: () => true, // Slack has signed who writes in which thread
  };
}

const textOf = ({ text }: Json): string => (typeof text === "string" ? text.slice(0, 100_000) : "");

/** Messages of apps, this one included, are not answered: that could loop. Nor are notes such as that somebody joined. */
function isFromPerson({ type, subtype, bot_id, user, hidden }: Json, app: SlackApp): boolean {
  const isMessage = type === "message" || type === "app_mention";
  const isPlain = subtype === undefined || subtype === "file_share" || subtype === "thread_broadcast";
  return isMessage && isPlain && !bot_id && hidden !== true && user !== app.user_id;
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

const plainText = (text: string, { user_id }: SlackApp): string =>
  text
    .replaceAll(`<@${String(user_id)}>`, "")
    .replaceAll(/<([^<>|]{1,3000})\|([^<>|]{0,3000})>/g, (_, to: string, label: string) =>
      /^(https?|mailto):/.test(to) && label !== to ? `${label} (${to})` : label || to,
    )
    .replaceAll(/<((?:https?|mailto):[^<>|]{1,3000})>/g, "$1")
    .replaceAll(/&(amp|lt|gt);/g, (entity) => entities[entity] as string)
    .trim();
