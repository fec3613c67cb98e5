import { type Block, decode } from "@aos/rollup";
import type pg from "pg";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { FactMaker } from "./fact-maker.ts";
import { families, kinds, minuteOfSource, noneNumber, shapeOf } from "./families.ts";
import { type BlockGrain, Difference, larger } from "./parts-store.ts";
import { sourcesOf } from "./roller.ts";

// Rows that rollups count, written as they stand and not by calls; and what the rollups have to be.

export const scope: Scope = { organization: "default", environment: "development" };
export const newId = createIds(systemClock);

const columnsOf = (row: Readonly<Record<string, unknown>>) => ({
  names: Object.keys(row).join(", "),
  places: Object.keys(row)
    .map((_name, at) => `$${at + 1}`)
    .join(", "),
  values: Object.values(row),
});

async function insertRow(pool: pg.Pool, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const { names, places, values } = columnsOf({ ...scope, ...row });
  await pool.query(`insert into ${table} (${names}) values (${places})`, values);
}

/** Inserts a task that was dispatched at a time (milliseconds). Returns its id. */
export async function insertTask(
  pool: pg.Pool,
  at: number,
  { id = newId("tsk", at), ...row }: Readonly<Record<string, unknown>> & { id?: string } = {},
): Promise<string> {
  await insertRow(pool, "tasks", {
    id,
    agent: "sales",
    version_id: "ver_1",
    version_number: 1,
    skill: "qualify_lead",
    status: "queued",
    input: "{}",
    trust_score: 0.5,
    trust: "{}",
    risk_level: "low",
    risk: "{}",
    audit_ref: "aud_1",
    principal: "mbr_1",
    key_id: "key_1",
    subject: "x",
    event_count: 1,
    created_at: new Date(at),
    ...row,
  });
  return id;
}

export async function insertStep(
  pool: pg.Pool,
  task: string,
  row: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await insertRow(pool, "steps", {
    id: newId("stp"),
    task_id: task,
    attempt: 1,
    number: 1,
    kind: "tool",
    name: "get_lead",
    state: "finished",
    input: "{}",
    finished_at: new Date(),
    ...row,
  });
}

export async function insertApproval(
  pool: pg.Pool,
  at: number,
  task: string,
  row: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const id = newId("apr", at);
  await insertRow(pool, "approvals", {
    id,
    task_id: task,
    agent: "sales",
    version_id: "ver_1",
    version_number: 1,
    skill: "qualify_lead",
    action_digest: "d",
    nonce: "n",
    risk_level: "high",
    summary: "s",
    reasons: "[]",
    approvers: 1,
    requester_allowed: true,
    requester: "mbr_1",
    created_at: new Date(at),
    ...row,
  });
  return id;
}

export async function judge(pool: pg.Pool, task: string, outcome: number, source = "feedback"): Promise<void> {
  await pool.query(
    `insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, observed_at)
     select organization, environment, agent, skill, id, version_id, $2, 'volunteered', $3, now() from tasks where id = $1
     on conflict (organization, environment, agent, skill, id, version_id) do update set outcome = excluded.outcome, source = excluded.source, judged_at = now()`,
    [task, source, outcome],
  );
}

export async function insertViolation(
  pool: pg.Pool,
  at: number,
  kind: string,
  { source = "pol_1", reason = "test" }: { source?: string; reason?: string } = {},
): Promise<void> {
  await insertRow(pool, "violations", {
    id: newId("aud", at),
    source,
    kind,
    reason_code: reason,
    message: "m",
    operation: "o",
    action: "task.run",
    agent: "sales",
    principal: "mbr_1",
  });
}

export async function insertDelivery(pool: pg.Pool, at: number): Promise<string> {
  const id = newId("dlv", at);
  await insertRow(pool, "deliveries", {
    id,
    webhook_id: "whk_1",
    event_id: "evt_1",
    type: "task.created",
    next_at: new Date(),
    created_at: new Date(at),
  });
  return id;
}

/** Rollups as one number by bucket, family, dimensions and column, without those that are 0. */
export type Cells = Record<string, number>;

function addBlock(cells: Cells, head: string, { rows, dims, sums, bins }: Block): void {
  const add = (name: string, value: number): void => {
    const sum = (cells[name] ?? 0) + value;
    if (sum === 0) delete cells[name];
    else cells[name] = sum;
  };
  const keys = Array.from({ length: rows }, (_none, row) => `${head} ${dims.map((column) => column[row]).join(",")}`);
  for (const [index, column] of sums.entries())
    for (const [row, key] of keys.entries()) add(`${key} sum ${index}`, column[row] as number);
  for (const [index, { row, bin, count }] of bins.entries())
    for (const [at, of] of row.entries()) add(`${keys[of]} bin ${index} ${bin[at]}`, count[at] as number);
}

/** What is stored, by grain; of quarters, hours and days those that are merged. */
export async function storedCells(pool: pg.Pool): Promise<Record<BlockGrain, Cells>> {
  const { rows } = await pool.query(
    `select b.* from analytics_blocks b where not exists (select from analytics_unmerged u
       where (u.organization, u.environment, u.family, u.grain, u.bucket) = (b.organization, b.environment, b.family, b.grain, b.bucket))`,
  );
  const { rows: columns } = await pool.query("select from analytics_values where dimension = 'label'");
  const labels = columns.length;
  const cells = { minute: {}, quarter: {}, hour: {}, day: {} };
  for (const { family, grain, bucket, ...encoded } of rows)
    addBlock(
      cells[grain as "minute"],
      `${family} ${bucket}`,
      decode(shapeOf(family, labels), encoded as Parameters<typeof decode>[1], noneNumber),
    );
  return cells;
}

/** What it has to be: the sum of the facts of all rows as they are now. */
export async function expectedCells(pool: pg.Pool, now: number): Promise<Record<BlockGrain, Cells>> {
  const db = {
    query: async (text: string, values?: readonly unknown[]) => (await pool.query(text, values as [])).rows,
  };
  const { rows } = await pool.query(
    `select 'task' as kind, id from tasks union all select 'approval', id from approvals
     union all select 'violation', id || '/' || source from violations union all select 'delivery', id || '/' || webhook_id from deliveries`,
  );
  const made = await new FactMaker().make({ db: db as never, scope }, sourcesOf(rows), now);
  const difference = new Difference(made.labels);
  for (const kind of kinds) for (const [source, cells] of made[kind]) difference.add(minuteOfSource(source), cells, 1);
  const { rows: unmerged } = await pool.query("select family, grain, bucket from analytics_unmerged");
  const open = new Set(unmerged.map(({ family, grain, bucket }) => `${family} ${grain} ${bucket}`));
  const expected = { minute: {}, quarter: {}, hour: {}, day: {} };
  for (const { family, minute, block } of difference.minutes()) {
    addBlock(expected.minute, `${family} ${minute}`, block);
    for (const { grain, of } of larger)
      if (!open.has(`${family} ${grain} ${of(minute)}`)) addBlock(expected[grain], `${family} ${of(minute)}`, block);
  }
  return expected;
}

export const familiesOf = (cells: Cells): string[] =>
  families.filter((family) => Object.keys(cells).some((key) => key.startsWith(`${family} `)));
