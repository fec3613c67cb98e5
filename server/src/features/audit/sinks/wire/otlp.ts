import type { SinkAccess, SinkAnswer } from "../../ports.ts";
import type { Sending, SentRecord, SinkBatch } from "../batch.ts";
import type { OtlpCredentials, OtlpTarget } from "../target-schemas.ts";
import { Answered, expectTaken, membersIn } from "./answer.ts";

/** SeverityNumber of the data model of logs: INFO, WARN, ERROR. */
const severities = {
  allowed: { severityNumber: 9, severityText: "INFO" },
  refused: { severityNumber: 13, severityText: "WARN" },
  failed: { severityNumber: 17, severityText: "ERROR" },
} as const;

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
/** 64-bit integers are decimal text in JSON. */
const number = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
const nanoseconds = (ms: number): string => `${ms}000000`;

/** Posts a batch as logs of OTLP in JSON: a log record for each record, and a last one that says what they cover. */
export async function sendOtlp(
  access: SinkAccess,
  { url }: OtlpTarget,
  credentials: OtlpCredentials | null,
  { key, head, records }: SinkBatch,
  { now, signal }: Sending,
): Promise<void> {
  const observed = nanoseconds(now);
  const last = {
    timeUnixNano: observed,
    observedTimeUnixNano: observed,
    severityNumber: 9,
    severityText: "INFO",
    eventName: "aos.audit.batch",
    body: { stringValue: JSON.stringify(head) },
    attributes: [
      text("aos.batch", key),
      number("aos.first_leaf", head.first_leaf),
      number("aos.last_leaf", head.last_leaf),
    ],
  };
  const logRecords = [...records.map((one) => logRecord(one, key, observed)), last];
  const resource = {
    attributes: [
      text("service.name", "aos"),
      text("deployment.environment.name", head.environment),
      text("aos.log", head.log),
    ],
  };
  const body = JSON.stringify({
    resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "aos.audit" }, logRecords }] }],
  });
  const headers = { ...credentials?.headers, "content-type": "application/json" };
  const answer = await access.send({ url, method: "POST", headers, body, signal });
  expectTaken(answer, url);
  const rejected = rejectedOf(answer);
  if (rejected !== "0")
    throw new Answered(
      "not_taken",
      rejected === null
        ? `\`${new URL(url).host}\` answered ${answer.status}, and not as a collector does: by nothing, or by a JSON object that may have \`partialSuccess\`.`
        : `\`${new URL(url).host}\` rejected ${rejected} of ${logRecords.length} log records.`,
      answer,
    );
}

/** How many log records a collector did not take, as it says; null: its answer cannot be read, so that it acknowledges nothing. */
function rejectedOf({ headers, body }: SinkAnswer): string | null {
  if (body.trim() === "" || (isProtobuf(headers) && body === emptyPartialSuccess)) return "0";
  const members = membersIn(body);
  if (members === null) return null;
  const partial = members.partialSuccess ?? members.partial_success ?? {};
  if (typeof partial !== "object" || Array.isArray(partial)) return null;
  const { rejectedLogRecords, rejected_log_records: inSnakeCase } = partial as Readonly<Record<string, unknown>>;
  const rejected = rejectedLogRecords ?? inSnakeCase ?? 0;
  return /^-?\d{1,20}$/.test(String(rejected)) ? String(rejected) : null;
}

/** The message `partial_success` without a member. */
const emptyPartialSuccess = "\n\0";
const isProtobuf = (headers: SinkAnswer["headers"]): boolean =>
  headers["content-type"]?.startsWith("application/x-protobuf") === true;

function logRecord({ index, record, line }: SentRecord, key: string, observed: string) {
  return {
    timeUnixNano: nanoseconds(Date.parse(record.time)),
    observedTimeUnixNano: observed,
    ...severities[record.outcome],
    eventName: "aos.audit.record",
    body: { stringValue: line },
    attributes: [
      number("aos.leaf_index", index),
      text("aos.batch", key),
      text("aos.audit_ref", record.id),
      text("aos.action", record.operation),
      text("aos.actor", record.principal),
      text("aos.decision", record.outcome),
    ],
  };
}
