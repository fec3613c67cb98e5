import { first, select, sql } from "../../../../db/scoped.ts";
import type { QueryContext } from "../../../../kernel/db.ts";
import type { Incoming, ReceivedFile } from "../receive.ts";
import type { ReceivedMail } from "./parse.ts";

/** Ids are without angle brackets. */
export interface MailPlace {
  readonly to: string;
  readonly name: string;
  readonly subject: string;
  readonly last: string;
  readonly references: readonly string[];
  readonly verified: boolean;
}

/** Messages taken of one sender an hour; stops two machines that answer each other. */
const mostPerHour = 30;

/** Continues a thread only for the sender who began it: knowing a message's id opens nobody else's thread. */
export function incomingOf(mail: ReceivedMail, files: readonly ReceivedFile[]): Incoming {
  const { from, verified, subject } = mail;
  const references = [...new Set([mail.root, ...mail.answers.toReversed(), mail.id])].slice(-20);
  const place: MailPlace = { to: from.address, name: from.name, subject, last: mail.id, references, verified };
  const user = verified ? from.address : null;
  return {
    externalId: mail.id,
    thread: mail.root,
    answers: mail.answers,
    user,
    authorId: user,
    author: from.name || from.address,
    text: mail.text,
    files,
    title: subject || null,
    context: { channel: "email", subject, sender: from.address, sender_verified: verified },
    address: { ...place },
    isOfThread: (thread) => thread.user === user && (thread.address as unknown as MailPlace).to === from.address,
  };
}

export async function sendsTooMuch(ctx: QueryContext, channel: string, sender: string, now: number): Promise<boolean> {
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
