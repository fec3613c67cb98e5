import type { AppendTable, ColumnType, JobSpec } from "../kernel/append.ts";
import { encodeArray } from "./binary-array.ts";
import type { CallWrites } from "./committer.ts";

/** A statement over a batch of calls: text, the name it is prepared under, and its typed arrays. */
export interface BatchStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

interface Target {
  readonly table: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType, as?: string])[];
}

const records: Target = {
  table: "audit_records",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["n", "int"],
    ["body", "text"],
  ],
};
const salts: Target = {
  table: "audit_salts",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["subject", "text"],
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
const jobColumns = [
  ["task", "text"],
  ["payload", "text"],
  ["run_at", "timestamptz"],
  ["key", "text"],
  ["priority", "smallint"],
] as const;

/** Rows as columns: one array per column, and the claim of each row's call. */
class Columns {
  readonly arrays: unknown[][];
  readonly claims: (string | null)[] = [];
  constructor(width: number) {
    this.arrays = Array.from({ length: width }, () => []);
  }
  add(claim: string | null, values: readonly unknown[]): void {
    this.claims.push(claim);
    for (let i = 0; i < this.arrays.length; i++) (this.arrays[i] as unknown[]).push(values[i]);
  }
}

const texts = new Map<string, string>();

/**
 * One statement that writes all rows of a batch. A call whose claiming row loses (its idempotency key was taken) loses all its rows;
 * the answer lists the claims that won. Rows of claiming tables are sorted, so that two processes never wait for each other in a circle.
 */
export function batchStatement(calls: readonly CallWrites[]): BatchStatement {
  const parts = collect(calls);
  const shape = parts.map((part) => part.shape).join("+");
  let text = texts.get(shape);
  if (!text) {
    text = composeText(parts);
    texts.set(shape, text);
  }
  const values = parts.flatMap(encodedColumns);
  return { name: `append ${shape}`, text, values };
}

function encodedColumns({ target, columns, claiming }: Part): Buffer[] {
  const arrays = target.columns.map(([, type], i) => encodeArray(type, columns.arrays[i] as unknown[]));
  return claiming ? arrays : [...arrays, encodeArray("text", columns.claims)];
}

interface Part {
  readonly shape: string;
  readonly target: Target;
  readonly claiming: AppendTable["claim"] | null;
  readonly columns: Columns;
}

function collect(calls: readonly CallWrites[]): Part[] {
  const parts = new Map<string, Part>();
  const into = (target: Target, claiming: AppendTable["claim"] | null, shape: string): Columns => {
    let part = parts.get(shape);
    if (!part) {
      part = { shape, target, claiming, columns: new Columns(target.columns.length) };
      parts.set(shape, part);
    }
    return part.columns;
  };
  let n = 0;
  let eventNumber = 0;
  for (const call of calls) {
    const { organization, environment, id, body, newSalt } = call.record;
    const claim = claimOf(call);
    for (const { table, row } of call.rows) {
      const values = table.columns.map(([name]) =>
        name === "organization" ? organization : name === "environment" ? environment : row[name],
      );
      into(table, table.claim ?? null, table.table).add(table.claim ? null : claim, values);
    }
    for (const event of call.events) {
      const values = [
        organization,
        environment,
        call.newEventId(),
        eventNumber++,
        event.type,
        event.taskId,
        event.taskSequence,
        id,
        event.body,
      ];
      into(events, null, "events").add(claim, values);
    }
    if (newSalt) into(salts, null, "salts").add(claim, [organization, environment, newSalt.subject, newSalt.salt]);
    for (const job of call.jobs) into({ table: "jobs", columns: jobColumns }, null, "jobs").add(claim, jobValues(job));
    into(records, null, "records").add(claim, [organization, environment, id, n++, body]);
  }
  return [...parts.values()].sort((a, b) => Number(b.claiming !== null) - Number(a.claiming !== null) || (a.shape < b.shape ? -1 : 1));
}

/** The id of the row by which a call claims its idempotency key; null where it claims none. */
export function claimOf(call: CallWrites): string | null {
  return (call.rows.find(({ table }) => table.claim)?.row.id as string | undefined) ?? null;
}

const jobValues = (job: JobSpec): unknown[] => [
  job.task,
  JSON.stringify(job.payload),
  job.runAt ?? null,
  job.key ?? null,
  job.priority ?? 0,
];

function composeText(parts: readonly Part[]): string {
  let parameter = 0;
  const arrays = (target: Target): string => target.columns.map(([, type]) => `$${++parameter}::${type}[]`).join(", ");
  const names = (target: Target): string => target.columns.map(([name]) => name).join(", ");
  const selected = (target: Target): string => target.columns.map(([name, , as]) => (as ? `${name}::${as}` : name)).join(", ");
  const claiming = parts.filter((part) => part.claiming !== null);
  const won = claiming.map((_, i) => `select id from claim_${i}`).join(" union all ");
  const filter = won ? ` where r.claim is null or r.claim in (${won})` : "";
  const ctes = parts.map((part, i) => {
    const { target } = part;
    if (part.claiming) {
      const { conflict, orderBy } = part.claiming;
      return `claim_${i} as (insert into ${target.table} (${names(target)}) select ${selected(target)} from unnest(${arrays(target)}) as r(${names(target)}) order by ${orderBy} on conflict ${conflict} do nothing returning id)`;
    }
    const source = `unnest(${arrays(target)}, $${++parameter}::text[]) as r(${names(target)}, claim)${filter}`;
    if (target.table === "jobs") {
      return `jobs as (select graphile_worker.add_jobs(array(select (r.task, r.payload::json, null, r.run_at, null, r.key, r.priority, null)::graphile_worker.job_spec from ${source})))`;
    }
    return `write_${i} as (insert into ${target.table} (${names(target)}) select ${selected(target)} from ${source})`;
  });
  const jobs = parts.some((part) => part.target.table === "jobs") ? ", (select count(*) from jobs) as jobs" : "";
  const claims = won ? `array(${won})` : "'{}'::text[]";
  return `with ${ctes.join(",\n")}\nselect ${claims} as won${jobs}`;
}
