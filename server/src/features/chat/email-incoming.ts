import { first, select, sql } from "../../db/scoped.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Incoming, ReceivedFile } from "./channel-receive.ts";
import type { ReceivedMail } from "./email-parse.ts";

/** Where replies to a message go. Ids are without angle brackets. */
export interface MailPlace {
  readonly to: string;
  readonly name: string;
  readonly subject: string;
  /** The message that a reply answers, and those before it. */
  readonly last: string;
  readonly references: readonly string[];
  readonly verified: boolean;
}

/** Messages of one sender that are taken within an hour: two machines that answer each other are stopped by it. */
export const mostPerHour = 30;

/**
 * A message as it goes into a conversation. It goes on with a thread only where its sender is who began it: whoever knows a message's id alone reads and writes nothing in
 * the thread of somebody else.
 */
export function incomingOf(mail: ReceivedMail, files: readonly ReceivedFile[]): Incoming {
  const { from, verified, subject } = mail;
  const references = [...new Set([mail.root, ...mail.answers.toReversed(), mail.id])].slice(-20);
  const place: MailPlace = { to: from.address, name: from.name, subject, last: mail.id, references, verified };
  const user = verified ? from.address : null;
  return {
    ...{ externalId: mail.id, thread: mail.root, answers: mail.answers, user, authorId: user },
    author: from.name || from.address,
    ...{ text: mail.text, files, title: subject || null },
    context: { channel: "email", subject, sender: from.address, sender_verified: verified },
    address: { ...place },
    isOfThread: (thread) => thread.user === user && (thread.address as unknown as MailPlace).to === from.address,
  };
}

/** Whether somebody has sent as much within an hour as is taken. */
export async function sendsTooMuch(
  ctx: { readonly scope: Scope; readonly db: Statements },
  channel: string,
  sender: string,
  now: number,
): Promise<boolean> {
  const { organization, environment } = ctx.scope;
  const threads = sql<boolean>`exists (select from chat_threads t where t.organization = ${organization} and t.environment = ${environment}
    and t.conversation = m.conversation and t.address ->> 'to' = ${sender})`;
  const query = select(ctx, "chat_channel_messages", "m")
    .select(sql<number>`count(*)::int`.as("n"))
    .where("m.channel", "=", channel)
    .where("m.created_at", ">", new Date(now - 3_600_000))
    .where(threads);
  return ((await first(ctx, query))?.n ?? 0) >= mostPerHour;
}
