import { wake } from "../../jobs/queue.ts";
import type { JobSpec } from "../../kernel/append.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import type { JobHandler, JobParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { serversOf } from "./channel-model.ts";
import { ChannelFault, type ChannelPort, type MailboxPosition, type StoredMail } from "./channel-ports.ts";
import type { EmailChannelConfig, EmailChannelSecret } from "./channel-schemas.ts";
import { scopeOf } from "./channel-scope.ts";
import { openSecret } from "./channel-secrets.ts";
import { type ChannelRow, findChannel, noteRead } from "./channel-store.ts";
import { withTexts } from "./email-files.ts";
import { turnNotPermitted } from "./errors.ts";
import { receiveMail } from "./operations/receive-mail.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock">;

/** The job that reads a mailbox on. */
export const mailboxJob = "read_chat_mailbox";
const largestMail = 25 * 1024 * 1024;
const mailsAtATime = 50;
const day = 86_400_000;

export const wakeMailbox = ({ organization, environment }: Scope, channel: string): JobSpec => ({
  ...{ task: mailboxJob, payload: { organization, environment, channel } },
  key: `chat mailbox ${organization} ${environment} ${channel}`,
});

/** Reads what is new in a mailbox, oldest first, and notes up to where. A message that cannot be taken now is read again; nothing behind it is read before. */
export function createMailboxJob(parts: Parts, port: ChannelPort): JobHandler {
  return async (payload) => {
    const scope = scopeOf(payload);
    const { channel } = (payload ?? {}) as { channel?: unknown };
    if (!scope || typeof channel !== "string") return;
    const row = await findChannel({ scope, db: parts.db }, channel);
    if (row?.kind === "email" && row.enabled && row.stopped_reason === null) return readOn(parts, port, scope, row);
    port.leaveMailbox(scope.environment, keyOf(scope, channel));
  };
}

/** Under which a mailbox stays connected. */
const keyOf = ({ organization }: Scope, channel: string): string => `${organization} ${channel}`;

async function readOn(parts: Parts, port: ChannelPort, scope: Scope, row: ChannelRow): Promise<void> {
  const looking = { scope, db: parts.db };
  const config = row.config as EmailChannelConfig;
  const job = wakeMailbox(scope, row.name);
  const at = new Date(parts.clock.now());
  try {
    const secret = openSecret<EmailChannelSecret>(port.credentialKey, scope, row.name, row.secret as Buffer | null);
    const { imap } = serversOf(config, secret);
    const from = row.reader as Partial<MailboxPosition>;
    if (from.uidvalidity === undefined || from.uid === undefined) {
      const reader = await port.checkMailbox(scope.environment, imap);
      return await noteRead(looking, row, { reader, error: null, at });
    }
    const read = await port.readMailbox(scope.environment, keyOf(scope, row.name), imap, {
      from: { uidvalidity: from.uidvalidity, uid: from.uid },
      since: new Date((row.last_read_at ?? row.created_at).getTime() - day),
      ...{ mostBytes: largestMail, mostMessages: mailsAtATime },
      take: (mail) => take(parts, scope, row.name, config, mail),
      onNews: () => void wake(parts.db, [job]).catch(() => undefined), // the next look finds it
    });
    const error = read.stopped === null ? null : whyStopped(read.stopped);
    await noteRead(looking, row, { reader: read.position, error, at });
    if (read.more) await wake(parts.db, [job]);
    if (read.stopped !== null && !(read.stopped instanceof Refusal)) throw read.stopped;
  } catch (error) {
    if (!(error instanceof ChannelFault)) throw error;
    await noteRead(looking, row, { error: error.detail, at: null });
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
  const { readMail } = await import("./email-parse.ts");
  const mail = await readMail(source, config);
  if ("ignored" in mail) return;
  const { stopped } = await inside(receiveMail, scope, { channel, mail, files: await withTexts(mail.files) });
  if (stopped !== null) throw refuse(turnNotPermitted, stopped);
}
