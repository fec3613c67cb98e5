import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DocumentFault } from "@aos/documents";
import { addressIn } from "../../../../jobs/payload.ts";
import { wake } from "../../../../jobs/queue.ts";
import type { JobSpec } from "../../../../kernel/append.ts";
import { Refusal, refuse } from "../../../../kernel/errors.ts";
import type { JobHandler, JobParts } from "../../../../kernel/machines.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { makeTemporaryFolder } from "../../../../kernel/temporary-folders.ts";
import { turnNotPermitted } from "../../errors.ts";
import { textIn } from "../../files/rules.ts";
import { ChannelFault, type ChannelPort, type MailboxPosition, type StoredMail } from "../../ports.ts";
import type { AttachedFile } from "../email/parse.ts";
import { receiveMail } from "../operations/receive-mail.ts";
import type { ReceivedFile } from "../receive.ts";
import { channelRows } from "../resource.ts";
import { serversOf } from "../rules.ts";
import type { EmailChannelConfig, EmailChannelSecret } from "../schemas.ts";
import { noteRead, openSecret } from "../store.ts";
import type { ChannelRow } from "../view.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock">;

export const mailboxJob = "read_chat_mailbox";
const largestMail = 25 * 1024 * 1024;
const mailsAtATime = 50;
const day = 86_400_000;

export const wakeMailbox = ({ organization, environment }: Scope, channel: string): JobSpec => ({
  task: mailboxJob,
  payload: { organization, environment, channel },
  key: `chat mailbox ${organization} ${environment} ${channel}`,
});

/** Oldest first. A message that cannot be taken now is read again, and none behind it before. */
export function createMailboxJob(parts: Parts, port: ChannelPort): JobHandler {
  return async (payload) => {
    const address = addressIn(payload, "channel");
    if (!address) return;
    const { id: channel, ...scope } = address;
    const row = await channelRows.find({ scope, db: parts.db }, channel);
    if (row?.kind === "email" && row.enabled && row.stopped_reason === null) return readOn(parts, port, scope, row);
    port.leaveMailbox(scope.environment, keyOf(scope, channel));
  };
}

const keyOf = ({ organization }: Scope, channel: string): string => `${organization} ${channel}`;

async function readOn(parts: Parts, port: ChannelPort, scope: Scope, row: ChannelRow): Promise<void> {
  const ctx = { scope, db: parts.db };
  const config = row.config as EmailChannelConfig;
  const job = wakeMailbox(scope, row.name);
  const at = new Date(parts.clock.now());
  try {
    const secret = openSecret<EmailChannelSecret>(port.credentialKey, scope, row.name, row.secret);
    const { imap } = serversOf(config, secret);
    const from = row.reader as Partial<MailboxPosition>;
    if (from.uidvalidity === undefined || from.uid === undefined) {
      const reader = await port.checkMailbox(scope.environment, imap);
      return await noteRead(ctx, row, { reader, error: null, at });
    }
    const read = await port.readMailbox(scope.environment, keyOf(scope, row.name), imap, {
      from: { uidvalidity: from.uidvalidity, uid: from.uid },
      since: new Date((row.last_read_at ?? row.created_at).getTime() - day),
      mostBytes: largestMail,
      mostMessages: mailsAtATime,
      take: (mail) => take(parts, scope, row.name, config, mail),
      onNews: () => void wake(parts.db, [job]).catch(() => undefined), // the next look finds it
    });
    const error = read.stopped === null ? null : whyStopped(read.stopped);
    await noteRead(ctx, row, { reader: read.position, error, at });
    if (read.more) await wake(parts.db, [job]);
    if (read.stopped !== null && !(read.stopped instanceof Refusal)) throw read.stopped;
  } catch (error) {
    if (!(error instanceof ChannelFault)) throw error;
    await noteRead(ctx, row, { error: error.detail, at: null });
  }
}

function whyStopped(stopped: unknown): string {
  if (stopped instanceof Refusal && stopped.type === turnNotPermitted)
    return "Messages wait in the mailbox until the channel is started again.";
  return stopped instanceof Refusal
    ? `A message could not be taken, and is tried again: ${stopped.details.detail}`
    : "A message could not be taken because of an error of the service, and is tried again.";
}

async function take(
  { inside }: Parts,
  scope: Scope,
  channel: string,
  config: EmailChannelConfig,
  { source }: StoredMail,
): Promise<void> {
  if (source === null) return; // too large for anybody to read
  const { readMail } = await import("../email/parse.ts");
  const mail = await readMail(source, config);
  if ("ignored" in mail) return;
  const { stopped } = await inside(receiveMail, scope, { channel, mail, files: await withTexts(mail.files) });
  if (stopped !== null) throw refuse(turnNotPermitted, stopped);
}

/** A file that cannot be read is kept without text. */
async function withTexts(files: readonly AttachedFile[]): Promise<ReceivedFile[]> {
  if (files.length === 0) return [];
  const folder = await makeTemporaryFolder("mail");
  try {
    const read: ReceivedFile[] = [];
    for (const [at, file] of files.entries())
      read.push({ ...file, text: await textOf(file, path.join(folder, String(at))) });
    return read;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function textOf({ name, mediaType, content }: AttachedFile, file: string): Promise<string | null> {
  await writeFile(file, content);
  try {
    return await textIn({ path: file, mediaType, fileName: name }, AbortSignal.timeout(30_000));
  } catch (error) {
    if (error instanceof DocumentFault) return null;
    throw error;
  }
}
