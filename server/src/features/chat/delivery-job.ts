import { first, select } from "../../db/scoped.ts";
import { listWorkerGaps, lostMs } from "../../jobs/pools.ts";
import { wake } from "../../jobs/queue.ts";
import { Refusal } from "../../kernel/errors.ts";
import { workLease } from "../../kernel/lease.ts";
import type { JobHandler, JobParts, Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { serversOf } from "./channel-model.ts";
import { ChannelFault, type ChannelPort } from "./channel-ports.ts";
import type {
  EmailChannelConfig,
  EmailChannelSecret,
  SlackChannelConfig,
  SlackChannelSecret,
} from "./channel-schemas.ts";
import { scopeOf } from "./channel-scope.ts";
import { openSecret } from "./channel-secrets.ts";
import { type ChannelRow, findChannel } from "./channel-store.ts";
import { findThread } from "./channel-thread-store.ts";
import {
  claimDelivery,
  type DeliveryRow,
  givenUpAfter,
  noteDelivery,
  pauseAfter,
  renewDelivery,
  wakeDelivery,
} from "./delivery-store.ts";
import { type Block, blocksOf, unsent } from "./delivery-text.ts";
import { composeMail } from "./email-compose.ts";
import type { MailPlace } from "./email-incoming.ts";
import { findMessage, type MessageRow } from "./message-store.ts";
import { type NoteDelivery, recordDelivery } from "./operations/note-delivery.ts";
import type { SlackPlace } from "./slack-event.ts";
import { sendToSlack } from "./slack-send.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock">;
type Outcome = NoteDelivery["outcome"];

/** The handler of the job that sends a reply: claims its row, sends what was not sent before, and books what came of it. */
export function createDeliveryJob(parts: Parts, port: ChannelPort): JobHandler {
  return async (payload) => {
    const scope = scopeOf(payload);
    const { message } = (payload ?? {}) as { message?: unknown };
    if (!scope || typeof message !== "string") return;
    while (await deliver(parts, port, scope, message));
  };
}

/** Makes one attempt. Returns whether there is more to send at once. */
async function deliver(parts: Parts, port: ChannelPort, scope: Scope, message: string): Promise<boolean> {
  const looking = { scope, db: parts.db };
  const row = await claimDelivery(looking, message);
  if (!row) return false;
  const renew = () => void renewDelivery(looking, row).catch(() => undefined); // else it lapses
  const timer = setInterval(renew, workLease.renewMs);
  const sent = attempt(port, looking, row).finally(() => clearInterval(timer));
  const outcome = await sent.catch((error: unknown) => {
    if (error instanceof ChannelFault) return error;
    throw error; // an error of the service: the claim runs out, and it is tried again
  });
  if (!(outcome instanceof ChannelFault)) return book(parts, scope, row, outcome);
  const now = parts.clock.now();
  if (outcome.permanent || (await triedMs(parts.db, row.created_at, now)) > givenUpAfter)
    return book(parts, scope, row, { state: "failed", error: outcome.detail });
  const pauseMs = Math.max(pauseAfter(row.attempts), outcome.retryAfterMs ?? 0);
  const booked = await noteDelivery(looking, row, { state: "waiting", error: outcome.detail, pauseMs }, new Date(now));
  if (booked) await wake(parts.db, [wakeDelivery(scope, message, booked.next_at)]);
  return !booked;
}

/** For how long a reply was tried: time without a worker does not count. */
async function triedMs(db: Statements, since: Date, now: number): Promise<number> {
  const tried = now - since.getTime();
  return tried <= givenUpAfter ? tried : tried - lostMs(await listWorkerGaps(db, since), since.getTime(), now);
}

async function book({ inside }: Parts, scope: Scope, row: DeliveryRow, outcome: Outcome): Promise<boolean> {
  try {
    return (await inside(recordDelivery, scope, { delivery: row, outcome })).again;
  } catch (error) {
    if (error instanceof Refusal && error.type.status === 404) return false; // the channel was removed
    throw error;
  }
}

interface Sending {
  readonly scope: Scope;
  readonly channel: ChannelRow;
  readonly message: MessageRow;
  readonly place: unknown;
  readonly blocks: readonly Block[];
  readonly sentBefore: number;
  readonly disclosure: string | null;
}

async function attempt(
  port: ChannelPort,
  looking: { readonly scope: Scope; readonly db: Statements },
  row: DeliveryRow,
): Promise<Outcome> {
  const channel = await findChannel(looking, row.channel);
  const message = await findMessage(looking, row.message);
  const thread = await findThread(looking, row.conversation);
  const disclosing = select(looking, "chat_conversations", "c").select("c.disclosure");
  const conversation = await first(looking, disclosing.where("c.id", "=", row.conversation));
  if (!message || !conversation || !thread || thread.channel !== row.channel)
    return { state: "failed", error: "The conversation has no place in this channel." };
  if (!channel?.enabled) throw new ChannelFault("disabled", "The channel is disabled.");
  const blocks = message.status === "retracted" ? [] : unsent(blocksOf(message), row.told);
  const told = blocks.map(({ digest }) => digest);
  if (blocks.length === 0) return { state: "sent", told, externalId: null, disclosed: false };
  const { scope } = looking;
  const sending = { scope, channel, message, place: thread.address, blocks, sentBefore: row.told.length };
  const { disclosure } = conversation;
  const externalId = await (channel.kind === "email" ? sendMail : sendMessage)(port, { ...sending, disclosure });
  return { state: "sent", told, externalId, disclosed: message.role === "agent" && disclosure !== null };
}

async function sendMail(port: ChannelPort, sending: Sending): Promise<string> {
  const { scope, channel, message, place, blocks, sentBefore, disclosure } = sending;
  const secret = openSecret<EmailChannelSecret>(
    port.credentialKey,
    scope,
    channel.name,
    channel.secret as Buffer | null,
  );
  const config = channel.config as EmailChannelConfig;
  const person = message.role === "person" ? message.author_name : null;
  const mail = composeMail(config, place as MailPlace, { message: message.id, sentBefore, blocks, person, disclosure });
  await port.send(scope.environment, serversOf(config, secret).smtp, mail);
  return mail.messageId.slice(1, -1);
}

async function sendMessage(port: ChannelPort, sending: Sending): Promise<null> {
  const { scope, channel, message, place, blocks, sentBefore, disclosure } = sending;
  const secret = openSecret<SlackChannelSecret>(
    port.credentialKey,
    scope,
    channel.name,
    channel.secret as Buffer | null,
  );
  const from = message.role === "person" ? message.author_name : sentBefore === 0 ? disclosure : null;
  const text = [...blocks.map((block) => block.text), ...(from === null ? [] : [`_${from}_`])].join("\n\n");
  const config = channel.config as SlackChannelConfig;
  await sendToSlack(port, scope.environment, config, secret.bot_token, place as SlackPlace, text);
  return null;
}
