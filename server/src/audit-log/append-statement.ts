import type { AppendTable, ColumnType, Guard, JobSpec } from "../kernel/append.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import { encodeArray } from "./binary-array.ts";
import type { RecordWriter } from "./mac.ts";

/** What one call writes in a group commit: its record, and whatever it appends beside it. */
export interface CallWrites {
  readonly record: {
    readonly id: string;
    readonly organization: string;
    readonly environment: string;
    readonly body: string;
    /** What policies saw of the call; stands beside the record, not in its leaf. */
    readonly context: string | null;
    /** The salt of its commitments; beside the record, since a task's subject may change and a salt may be destroyed and made again. */
    readonly saltId: string;
    readonly newSalt: { readonly subject: string; readonly id: string; readonly salt: Buffer } | null;
  };
  /** What has to hold for the call to be written at all; `told` hears what the guard says. */
  readonly guard?: {
    readonly guard: Guard;
    readonly row: Record<string, unknown>;
    readonly told: ((text: string) => void) | null;
  };
  readonly rows: readonly { readonly table: AppendTable; readonly row: Record<string, unknown> }[];
  readonly events: readonly EmittedEvent[];
  readonly jobs: readonly JobSpec[];
  readonly newEventId: () => string;
}

/** Takes the parameters of a statement, in their order. */
export interface ParameterSink {
  text(value: string): void;
  array(type: ColumnType, values: readonly unknown[]): void;
}

/** A statement over a batch of calls: text, the name it is prepared under, and its parameters, which are few texts and many typed arrays. */
export interface BatchStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: number;
  /** Hands over the parameters. An array is the sink's only until it returns. */
  give(sink: ParameterSink): void;
}

/** The parameters as values for a query of `pg`. */
export function valuesOf(statement: BatchStatement): (string | Buffer)[] {
  const values: (string | Buffer)[] = [];
  statement.give({
    text: (value) => values.push(value),
    array: (type, cells) => values.push(encodeArray(type, cells)),
  });
  return values;
}

interface Target {
  readonly table: string;
  /** Tells apart targets of one table with other columns. */
  readonly variant?: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType, as?: string])[];
  readonly write?: (rows: string) => string;
  readonly also?: (written: string) => string;
}

const records: Target = {
  table: "audit_records",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["n", "int"],
    ["body", "text"],
    ["context", "text"],
    ["salt_id", "text"],
    ["writer", "text"],
    ["number", "bigint"],
    ["mac", "bytea"],
  ],
};
const salts: Target = {
  table: "audit_salts",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["subject", "text"],
    ["id", "text"],
    ["salt", "bytea"],
  ],
};
const events: Target = {
  table: "events",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["n", "int"],
    ["type", "text"],
    ["task_id", "text"],
    ["task_sequence", "int"],
    ["audit_id", "text"],
    ["body", "text"],
  ],
};
/** Few events say who is accountable for them: only a statement with such a one sends the column. */
const decidedEvents: Target = {
  table: "events",
  variant: "decided",
  columns: [...events.columns, ["deciders", "text", "jsonb"]],
};
const jobs: Target = {
  table: "jobs",
  columns: [
    ["task", "text"],
    ["payload", "text"],
    ["run_at", "timestamptz"],
    ["key", "text"],
    ["priority", "smallint"],
  ],
};

/** One row to be written: its members by column, whose call it is of, and what decides whether that call wins or loses, if anything does. */
interface Source {
  readonly row: Readonly<Record<string, unknown>>;
  readonly call: CallWrites;
  readonly claim: string | null;
}

/** What goes into one table, or is held by one guard. */
interface Part {
  readonly target: Target;
  readonly claiming: AppendTable["claim"] | null;
  readonly guard: Guard | null;
  readonly sources: Source[];
}

/**
 * How a batch takes rows whose idempotency key is taken. `assume`: there is none, which is nearly always so; the statement fails with a unique
 * violation where it is not so, and nothing is written. `check`: a call whose claiming row loses loses all its rows, and the answer lists the claims
 * that won. Checking costs a tenth of the statement. Guards are always checked.
 */
export type Claims = "assume" | "check";

/** Texts by shape, with the number of their parameters. PostgreSQL tells names apart by their first 63 bytes, so that shapes are numbered. */
const texts = new Map<string, { name: string; text: string; parameters: number }>();

/** What the statements of a committer have written so far, by table. One that gets it writes all of that, if need be nothing: few shapes, each planned once. */
export type Written = Map<string, Omit<Part, "sources">>;

/**
 * One statement that writes all rows of a batch. Rows of claiming tables are sorted, so that two processes never wait for each other in a circle.
 * What all calls of a batch share, their scope, is sent once.
 */
export function batchStatement(
  calls: readonly CallWrites[],
  claims: Claims,
  writer: Pick<RecordWriter, "seal">,
  written?: Written,
): BatchStatement {
  const parts = collect(calls, writer, written);
  const checked = parts.some((part) => part.guard || (part.claiming && claims === "check"));
  const scope = commonScope(calls);
  const shape = `${scope ? "" : "scopes "}${checked ? "checked " : ""}${parts.map(({ target }) => target.table + (target.variant ?? "")).join("+")}`;
  const way = { checked, shared: scope !== null };
  let composed = texts.get(shape);
  if (!composed) {
    composed = { name: `append ${texts.size}`, ...composeText(parts, way) };
    texts.set(shape, composed);
  }
  const give = (sink: ParameterSink): void => {
    if (scope) {
      sink.text(scope.organization);
      sink.text(scope.environment);
    }
    for (const part of parts) givePart(part, sink, way);
  };
  return { ...composed, give };
}

interface Shape {
  /** Rows of calls that lost are left out. */
  readonly checked: boolean;
  /** All calls have one scope, which is `$1`, `$2`. */
  readonly shared: boolean;
}

function commonScope(calls: readonly CallWrites[]): { organization: string; environment: string } | null {
  const first = calls[0]?.record;
  if (!first) return null;
  const { organization, environment } = first;
  const same = calls.every(({ record }) => record.environment === environment && record.organization === organization);
  return same ? { organization, environment } : null;
}

const isScope = (column: string): column is "organization" | "environment" =>
  column === "organization" || column === "environment";

/** Gives the arrays of a part, column by column; the order is that of `composeText`. */
function givePart(part: Part, sink: ParameterSink, { checked, shared }: Shape): void {
  const { target, sources } = part;
  const cells = new Array<unknown>(sources.length);
  for (const [name, type] of target.columns) {
    if (isScope(name)) {
      if (shared) continue;
      for (const [i, source] of sources.entries()) cells[i] = source.call.record[name];
    } else for (let i = 0; i < cells.length; i++) cells[i] = (sources[i] as Source).row[name];
    sink.array(type, cells);
  }
  if (!checked || part.claiming) return;
  for (let i = 0; i < cells.length; i++) cells[i] = (sources[i] as Source).claim;
  sink.array("text", cells);
}

function collect(
  calls: readonly CallWrites[],
  writer: Pick<RecordWriter, "seal">,
  written: Written | undefined,
): Part[] {
  const parts = new Map<string, Part>();
  const add = (
    target: Target,
    claiming: AppendTable["claim"] | null,
    source: Source,
    guard: Guard | null = null,
  ): void => {
    const part = parts.get(target.table);
    if (part) part.sources.push(source);
    else parts.set(target.table, { target, claiming, guard, sources: [source] });
  };
  const isDecided = calls.some((call) => call.events.some(({ deciders }) => deciders !== undefined));
  const eventTarget = isDecided ? decidedEvents : events;
  let n = 0;
  let eventNumber = 0;
  for (const call of calls) {
    const { id, body, context, saltId, newSalt } = call.record;
    const claim = claimOf(call);
    if (call.guard) add(targetOf(call.guard.guard), null, { row: call.guard.row, call, claim }, call.guard.guard);
    for (const { table, row } of call.rows) add(table, table.claim ?? null, { row, call, claim });
    for (const { type, taskId, taskSequence, body: text, deciders = null } of call.events) {
      const row = {
        id: call.newEventId(),
        n: eventNumber++,
        type,
        task_id: taskId,
        task_sequence: taskSequence,
        audit_id: id,
        body: text,
        deciders,
      };
      add(eventTarget, null, { row, call, claim });
    }
    if (newSalt) add(salts, null, { row: newSalt, call, claim });
    for (const job of call.jobs) add(jobs, null, { row: jobRow(job), call, claim });
    add(records, null, {
      row: { id, n: n++, body, context, salt_id: saltId, ...writer.seal(call.record) },
      call,
      claim,
    });
  }
  if (written) {
    for (const [table, { target, claiming, guard }] of parts)
      if (!written.has(table)) written.set(table, { target, claiming, guard });
    for (const [table, part] of written) if (!parts.has(table)) parts.set(table, { ...part, sources: [] });
  }
  for (const { claiming, sources } of parts.values()) if (claiming) sortByClaim(sources, claiming.key);
  const decides = ({ claiming, guard }: Part): number => ((claiming ?? guard) === null ? 0 : 1);
  return [...parts.values()].sort((a, b) => decides(b) - decides(a) || (a.target.table < b.target.table ? -1 : 1));
}

/** The order in which rows take their keys: arrays are unnested in order, and sorting here spares PostgreSQL a copy of every row. */
function sortByClaim(sources: Source[], key: string): void {
  const keyOf = ({ row }: Source): string => (row[key] as string | null) ?? "";
  sources.sort((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}

const targets = new WeakMap<Guard, Target>();

function targetOf(guard: Guard): Target {
  let target = targets.get(guard);
  if (!target) {
    target = { table: `guard ${guard.name}`, columns: guard.columns };
    targets.set(guard, target);
  }
  return target;
}

/** What decides whether a call wins: its guard, by the id of its record, or the row by which it claims its idempotency key; null where nothing does. */
export function claimOf(call: CallWrites): string | null {
  if (call.guard) return call.record.id;
  for (const { table, row } of call.rows) if (table.claim) return row.id as string;
  return null;
}

const jobRow = ({ task, payload, runAt, key, priority }: JobSpec) => ({
  task,
  payload: JSON.stringify(payload),
  run_at: runAt ?? null,
  key: key ?? null,
  priority: priority ?? 0,
});

/**
 * Arrays are unnested in a select list: PostgreSQL then walks them side by side, while in a FROM clause it would first store each one as a
 * relation of its own.
 */
function composeText(parts: readonly Part[], { checked, shared }: Shape): { text: string; parameters: number } {
  let parameter = shared ? 2 : 0;
  const won = parts.flatMap(({ claiming, guard }, i) =>
    claiming ? [`select id from write_${i}`] : guard ? [`select claim from write_${i}`] : [],
  );
  const told = parts.flatMap(({ claiming, guard }, i) =>
    claiming
      ? [`select id from write_${i}`]
      : guard
        ? [`select claim || coalesce(' ' || told, '') from write_${i}`]
        : [],
  );
  const written = parts.map((part, i) => {
    const { target, claiming, guard } = part;
    const lists: string[] = [];
    const wanted: string[] = [];
    for (const [name, type, as] of target.columns) {
      const scope = shared && isScope(name);
      if (!scope) lists.push(`unnest($${++parameter}::${type}[]) as ${name}`);
      const value = scope ? (name === "organization" ? "$1::text" : "$2::text") : as ? `${name}::${as}` : name;
      wanted.push(target.write || guard ? `${value} as ${name}` : value);
    }
    if (checked && !claiming) lists.push(`unnest($${++parameter}::text[]) as claim`);
    if (guard)
      return `write_${i} as (${guard.hold(`(select claim, ${wanted.join(", ")} from (select ${lists.join(", ")}) r)`)})`;
    const filter = checked && !claiming ? ` where claim is null or claim in (${won.join(" union all ")})` : "";
    const source = `(select ${lists.join(", ")}) r${filter}`;
    if (target.table === "jobs") return `jobs as (select graphile_worker.add_jobs(array(${jobSpecs(source)})))`;
    if (target.write) {
      const also = target.also ? `,\nalso_${i} as (${target.also(`write_${i}`)})` : "";
      return `write_${i} as (${target.write(`(select ${wanted.join(", ")} from ${source})`)})${also}`;
    }
    const losing = claiming && checked ? ` on conflict ${claiming.conflict} do nothing returning id` : "";
    const names = target.columns.map(([name]) => name).join(", ");
    return `write_${i} as (insert into ${target.table} (${names}) select ${wanted.join(", ")} from ${source}${losing})`;
  });
  const enqueued = parts.some((part) => part.target === jobs) ? ", (select count(*) from jobs) as jobs" : "";
  const text = `with ${written.join(",\n")}\nselect ${checked ? `array(${told.join(" union all ")})` : "null::text[]"} as won${enqueued}`;
  return { text, parameters: parameter };
}

/** Several calls may wake the same: of jobs with one key the queue takes a single one per statement. In the order of keys, so that two statements never wait for each other. */
const jobSpecs = (source: string): string =>
  `select (task, payload::json, null, run_at, null, key, priority, null)::graphile_worker.job_spec from (
     select distinct on (key, case when key is null then n end) * from (select *, row_number() over () as n from ${source}) asked
     order by key, case when key is null then n end, run_at nulls first) jobs_asked`;
