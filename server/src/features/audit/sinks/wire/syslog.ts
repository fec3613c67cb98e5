import type { SinkAccess } from "../../ports.ts";
import type { BatchHead, Sending, SentRecord, SinkBatch } from "../batch.ts";
import type { SyslogCredentials, SyslogTarget } from "../target-schemas.ts";

/** Severities of RFC 5424 by what a call came to: informational, notice, error. */
const severities = { allowed: 6, refused: 5, failed: 3 } as const;
/** `sequenceId` begins again at 1 behind this (RFC 5424, section 7.3.1). */
const lastSequence = 2_147_483_647;

/**
 * Writes a batch as messages of RFC 5424 with octet counting (RFC 5425), on a connection of its own: syslog knows no answers, so it counts as taken once the server has read to
 * the end and closed the connection.
 */
export async function sendSyslog(
  access: SinkAccess,
  target: SyslogTarget,
  credentials: SyslogCredentials | null,
  { head, records }: SinkBatch,
  { now, signal }: Sending,
): Promise<void> {
  const messages = [...records.map((one) => messageOf(target, head, one)), lastMessage(target, head, now)];
  const data = Buffer.concat(messages.map(counted));
  const { host, port = 6_514 } = target;
  await access.write({ host, port, certificate: credentials }, data, signal);
}

function messageOf(
  { facility = 13, app_name = "aos" }: SyslogTarget,
  head: BatchHead,
  { index, record, line }: SentRecord,
): string {
  const priority = facility * 8 + severities[record.outcome];
  const sequence = (index % lastSequence) + 1;
  return `<${priority}>1 ${record.time} ${hostName(head)} ${app_name} - ${printable(record.operation, 32)} [meta sequenceId="${sequence}"] ${line}`;
}

/** What the messages before it cover. */
function lastMessage({ facility = 13, app_name = "aos" }: SyslogTarget, head: BatchHead, now: number): string {
  const time = new Date(now).toISOString();
  return `<${facility * 8 + severities.allowed}>1 ${time} ${hostName(head)} ${app_name} - aos.audit.batch - ${JSON.stringify(head)}`;
}

/** The log's origin, which is unique, in place of a host: which process sends says nothing. */
const hostName = ({ log }: BatchHead): string => printable(log, 255);

const printable = (text: string, most: number): string => text.replaceAll(/[^\x21-\x7e]/g, "?").slice(0, most) || "-";

function counted(message: string): Buffer {
  const bytes = Buffer.from(message);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}
