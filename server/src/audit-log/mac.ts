import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto";
import type { LogScope } from "./scope.ts";

/** An origin that an adoption closed, with the head under which its records are proved. */
export interface ClosedLog {
  readonly epoch: number;
  readonly origin: string;
  /** Index in `audit_leaves` of its tree's first leaf. */
  readonly firstLeaf: number;
  readonly size: number;
  readonly checkpoint: string;
  readonly verifierKey: string;
  readonly adoption: string;
}

/** What the MAC of a record covers. */
export interface MacFields extends LogScope {
  readonly writer: string;
  /** Decimal: the driver reads bigint as text. */
  readonly number: number | string;
  readonly id: string;
  readonly saltId: string | null;
  readonly body: string;
}

/** What the MAC of a head covers: everything from which the sequencer goes on, except the event positions, which are in no tree. */
export interface HeadFields extends LogScope {
  readonly epoch: number;
  readonly origin: string;
  readonly firstLeaf: number;
  readonly closes: string | null;
  readonly opening: string | null;
  readonly size: number;
  /** In hexadecimal. */
  readonly root: string;
  readonly xid: string;
  readonly n: number;
}

/** Computes what the database cannot: proofs that a row was written by this service. */
export interface LogMac {
  record(fields: MacFields): Buffer;
  head(fields: HeadFields): Buffer;
  /** Of a head from before migration 0053: its log may have records without a MAC. */
  earlyHead(fields: HeadFields): Buffer;
  /** Of an origin that an adoption closed. */
  closed(log: LogScope & ClosedLog): Buffer;
  /** Of a row that an adoption set aside. */
  refused(scope: LogScope, recordId: string): Buffer;
  /** Of a head that the holder of a log tells a process that asked with this nonce. */
  joining(scope: LogScope, nonce: string, checkpoint: string): Buffer;
}

/** `key`: 32 bytes, derived from AOS_SECRET_KEY, in no database. */
export function createLogMac(key: Uint8Array): LogMac {
  const secret = createSecretKey(key);
  const mac = (kind: string, fields: readonly (string | number | null)[], version = 1): Buffer => {
    let text = `aos audit ${kind} ${version}`;
    for (const field of fields) text += encoded(field);
    return createHmac("sha256", secret).update(text).digest();
  };
  return {
    record: (r) => mac("record", [r.organization, r.environment, r.writer, r.number, r.id, r.saltId, r.body]),
    head: (h) => mac("head", headList(h), 2),
    earlyHead: (h) => mac("head", headList(h)),
    closed: (c) =>
      mac("closed", [
        c.organization,
        c.environment,
        c.epoch,
        c.origin,
        c.firstLeaf,
        c.size,
        c.checkpoint,
        c.verifierKey,
        c.adoption,
      ]),
    refused: (scope, id) => mac("refused", [scope.organization, scope.environment, id]),
    joining: (scope, nonce, checkpoint) => mac("joining", [scope.organization, scope.environment, nonce, checkpoint]),
  };
}

const headList = (h: HeadFields) => [
  h.organization,
  h.environment,
  h.epoch,
  h.origin,
  h.firstLeaf,
  h.closes,
  h.opening,
  h.size,
  h.root,
  h.xid,
  h.n,
];

/** Each field begins with its length, so that no two lists of fields give one text. Null differs from an empty text. */
function encoded(field: string | number | null): string {
  if (field === null) return "-";
  const text = String(field);
  return `${text.length}:${text}`;
}

/** Whether a stored MAC is the expected one; a missing one is not. */
export function sameMac(stored: Uint8Array | null, expected: Uint8Array): boolean {
  return stored !== null && stored.length === expected.length && timingSafeEqual(stored, expected);
}

/** A record that was written, for whoever watches that it is sequenced. */
export interface WrittenRecord extends LogScope {
  readonly id: string;
}

/** Writes records: numbers and authenticates them. One for each committer, so that no two count alike. */
export interface RecordWriter {
  seal(record: LogScope & { id: string; saltId: string | null; body: string }): {
    writer: string;
    number: number;
    mac: Buffer;
  };
  /** The record is durable. */
  acknowledged(record: WrittenRecord): void;
}

/** A writer with a fresh id. `acknowledged` hears of every durable record. */
export function createRecordWriter(
  mac: Pick<LogMac, "record">,
  acknowledged: (record: WrittenRecord) => void = () => undefined,
): RecordWriter {
  const writer = randomBytes(12).toString("base64url");
  let number = 0;
  return {
    seal({ organization, environment, id, saltId, body }) {
      number++;
      return { writer, number, mac: mac.record({ organization, environment, writer, number, id, saltId, body }) };
    },
    acknowledged,
  };
}
