import { refusingStage } from "./export-row.ts";
import { namesOfObject, namesOfOperation } from "./former-names.ts";
import type { AuditRecord } from "./record.ts";

/** What narrows an export; members narrow together. `agents` does not follow from records: which agent a task is of, the service knows. */
export interface ExportFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  readonly task?: string;
  readonly key?: string;
  readonly key_seq?: number;
  readonly decision?: readonly string[];
  readonly stage?: readonly string[];
  readonly from_leaf?: number;
  /** Calls that began at this time or later (RFC 3339). */
  readonly created_after?: string;
  /** Calls that began before this time. */
  readonly created_before?: string;
  readonly agents?: readonly string[];
}

type Test = (record: AuditRecord, leafIndex: number) => boolean;

/**
 * Whether records fit a filter, decided by the record alone and not by any index. `agents` is not looked at. Throws RangeError for a member that it does not know, or that is not of its kind.
 */
export function recordFilter(filter: ExportFilter): Test {
  const tests = Object.entries(filter).map(([name, value]) => testOf(name, value));
  return (record, leafIndex) => tests.every((fits) => fits(record, leafIndex));
}

function testOf(name: string, value: unknown): Test {
  const texts = ["decision", "stage", "agents"].includes(name);
  const wanted = texts
    ? Array.isArray(value)
    : typeof value === (name === "key_seq" || name === "from_leaf" ? "number" : "string");
  if (!wanted) throw new RangeError(`the filter "${name}" is not of its kind`);
  const list = value as readonly unknown[];
  const bound = name.startsWith("created_") ? momentOf(value as string) : 0;
  const names =
    name === "action" ? namesOfOperation(value as string) : name === "object" ? namesOfObject(value as string) : [];
  const tests: Readonly<Record<string, Test>> = {
    actor: (record) => record.principal === value,
    action: (record) => names.includes(record.operation),
    object: (record) => record.object !== null && names.includes(record.object),
    task: (record) => record.task_id === value,
    key: (record) => record.key_id === value,
    key_seq: (record) => record.key_seq === value,
    decision: (record) => list.includes(record.outcome),
    stage: (record) => list.includes(refusingStage(record)),
    from_leaf: (_record, leafIndex) => leafIndex >= (value as number),
    created_after: (record) => began(record) >= bound,
    created_before: (record) => began(record) < bound,
    agents: () => true,
  };
  const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
  if (!test) throw new RangeError(`there is no filter "${name}"`);
  return test;
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** When a call began: its record's id begins with that time (milliseconds in base 32), after a prefix. NaN for no such id, which no range of time holds. */
function began({ id }: AuditRecord): number {
  let ms = 0;
  for (const digit of id.slice(4, 14)) {
    const value = alphabet.indexOf(digit);
    ms = value < 0 ? Number.NaN : ms * 32 + value;
  }
  return id.length === 30 ? ms : Number.NaN;
}

/** A time in milliseconds. A leap second, which only RFC 3339 knows, counts as the second before it; nothing of ours is older than 1970. */
function momentOf(time: string): number {
  const ms = Date.parse(time.replace(/:60(?=[.Zz+-])/, ":59"));
  if (Number.isNaN(ms)) throw new RangeError(`${time} is no time`);
  return Math.max(0, ms);
}
