import { first, select } from "../../../../db/scoped.ts";
import { addressIn } from "../../../../jobs/payload.ts";
import { listWorkerGaps, lostMs } from "../../../../jobs/pools.ts";
import { wake } from "../../../../jobs/queue.ts";
import type { QueryContext } from "../../../../kernel/db.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobHandler, JobParts, Statements } from "../../../../kernel/machines.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { languageIn } from "../../conversations/language.ts";
import { findMessage, type MessageRow } from "../../conversations/message-store.ts";
import { ChannelFault, type ChannelPort } from "../../ports.ts";
import {
  claimDelivery,
  type DeliveryRow,
  givenUpAfter,
  noteDelivery,
  pauseAfter,
  renewDelivery,
  wakeDelivery,
} from "../delivery-store.ts";
import { type Block, blocksOf, unsent } from "../delivery-text.ts";
import { composeMail } from "../email/compose.ts";
import type { MailPlace } from "../email/incoming.ts";
import { type NoteDelivery, recordDelivery } from "../operations/note-delivery.ts";
import { channelRows } from "../resource.ts";
import { serversOf } from "../rules.ts";
import type { EmailChannelConfig, EmailChannelSecret, SlackChannelConfig, SlackChannelSecret } from "../schemas.ts";
import type { SlackPlace } from "../slack/event.ts";
import { sendToSlack } from "../slack/send.ts";
import { openSecret } from "../store.ts";
import { findThread } from "../thread-store.ts";
import type { ChannelRow } from "../view.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock">;
type Outcome = NoteDelivery["outcome"];

export function createDeliveryJob(parts: Parts, port: ChannelPort): JobHandler {
  return async (payload) => {
    const address = addressIn(payload, "message");
    if (!address) return;
    const { id: message, ...scope } = address;
    while (await deliver(parts, port, scope, message));
  };
}

/** Makes one attempt; returns whether there is more to send. */
async function deliver(parts: Parts, port: ChannelPort, scope: Scope, message: string): Promise<boolean> {
  const ctx = { scope, db: parts.db };
  const row = await claimDelivery(ctx, message);
  if (!row) return false;
  const renew = () => void renewDelivery(ctx, row).catch(() => undefined); // else it lapses
  const timer = setInterval(renew, workLease.renewMs);
  const sent = attempt(port, ctx, row).finally(() => clearInterval(timer));
  const outcome = await sent.catch((error: unknown) => {
    if (error instanceof ChannelFault) return error;
    throw error; // an error of the service: the claim runs out, and it is tried again
  });
  if (!(outcome instanceof ChannelFault)) return book(parts, scope, row, outcome);
  const now = parts.clock.now();
  if (outcome.permanent || (await triedMs(parts.db, row.created_at, now)) > givenUpAfter)
    return book(parts, scope, row, { state: "failed", error: outcome.detail });
  const pauseMs = Math.max(pauseAfter(row.attempts), outcome.retryAfterMs ?? 0);
  const booked = await noteDelivery(ctx, row, { state: "waiting", error: outcome.detail, pauseMs }, new Date(now));
  if (booked) await wake(parts.db, [wakeDelivery(scope, message, booked.next_at)]);
  return !booked;
}

/** Time without a worker does not count. */
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

async function attempt(port: ChannelPort, ctx: QueryContext, row: DeliveryRow): Promise<Outcome> {
  const channel = await channelRows.find(ctx, row.channel);
  const message = await findMessage(ctx, row.message);
  const thread = await findThread(ctx, row.conversation);
  const disclosing = select(ctx, "chat_conversations", "c").select(["c.id", "c.disclosure", "c.language"]);
  const conversation = await first(ctx, disclosing.where("c.id", "=", row.conversation));
  if (!message || !conversation || !thread || thread.channel !== row.channel)
    return { state: "failed", error: "The conversation has no place in this channel." };
  if (!channel?.enabled) throw new ChannelFault("disabled", "The channel is disabled.");
  // By what was written before the reply, so that a further attempt says it in the same language.
  const language = await languageIn(ctx, conversation, message.number);
  const blocks = message.status === "retracted" ? [] : unsent(blocksOf(message, language), row.told);
  const told = blocks.map(({ digest }) => digest);
  if (blocks.length === 0) return { state: "sent", told, externalId: null, disclosed: false };
  const { scope } = ctx;
  const sending = { scope, channel, message, place: thread.address, blocks, sentBefore: row.told.length };
  const { disclosure } = conversation;
  const externalId = await (channel.kind === "email" ? sendMail : sendMessage)(port, { ...sending, disclosure });
  return { state: "sent", told, externalId, disclosed: message.role === "agent" && disclosure !== null };
}

async function sendMail(port: ChannelPort, sending: Sending): Promise<string> {
  const { scope, channel, message, place, blocks, sentBefore, disclosure } = sending;
  const secret = openSecret<EmailChannelSecret>(port.credentialKey, scope, channel.name, channel.secret);
  const config = channel.config as EmailChannelConfig;
  const person = message.role === "person" ? message.author_name : null;
  const mail = composeMail(config, place as MailPlace, { message: message.id, sentBefore, blocks, person, disclosure });
  await port.send(scope.environment, serversOf(config, secret).smtp, mail);
  return mail.messageId.slice(1, -1);
}

async function sendMessage(port: ChannelPort, sending: Sending): Promise<null> {
  const { scope, channel, message, place, blocks, sentBefore, disclosure } = sending;
  const secret = openSecret<SlackChannelSecret>(port.credentialKey, scope, channel.name, channel.secret);
  const from = message.role === "person" ? message.author_name : sentBefore === 0 ? disclosure : null;
  const text = [...blocks.map((block) => block.text), ...(from === null ? [] : [`_${from}_`])].join("\n\n");
  const config = channel.config as SlackChannelConfig;
  await sendToSlack(port, scope.environment, config, secret.bot_token, place as SlackPlace, text);
  return null;
}
