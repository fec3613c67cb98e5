import { arrayLiteral, columnsOf, defineAppendTable, defineGuard, type RowOf } from "../../../kernel/append.ts";
import type { GroupContext } from "../../../kernel/context.ts";
import { stepSeal } from "../steps/seal.ts";
import type { NewStep } from "../steps/store.ts";
import { endSeal } from "../tasks/result.ts";
import { wakeConversation, wakeRun, wakeShadow } from "../tasks/row.ts";
import type { TaskRow } from "../tasks/store.ts";
import type { LateEnd } from "./holds.ts";
import { leaseSeconds } from "./rules.ts";

// Grouped writes of runs and their conditions. All times are the database's, as in transactions.

/** The tasks that `rows` name, locked, if `holds` is true of them. */
const locked = (rows: string, holds: string): string =>
  `select g.*, t.ctid as place from ${rows} g
   join tasks t on t.organization = g.organization and t.environment = g.environment and t.id = g.id
   where ${holds} for update of t skip locked`;

const leased = "t.status = 'running' and t.lease_owner = g.owner";
/** Nothing of a paused task starts, and it does not complete: see `pauses.ts`. */
const goesOn = `${leased} and t.paused_at is null`;
const holds = "h where t.ctid = h.place returning h.claim, null::text as told";
const leaseGivenUp = "updated_at = now(), lease_owner = null, lease_until = null, finished_at = now()";

function guard<const C extends string>(name: string, columns: C, hold: (rows: string) => string) {
  return defineGuard<RowOf<C> & Record<string, unknown>>({ name, columns: columnsOf(columns), hold });
}

function append<const C extends string>(table: string, columns: C, write: (rows: string) => string) {
  return defineAppendTable<RowOf<C> & Record<string, unknown>>({ table, columns: columnsOf(columns), write });
}

/** Claims a queued task that needed no approval. Returns when its run began, in milliseconds since the epoch. */
const claim = guard(
  "claim",
  "id text, owner text, version_id text, event_count int, tags text::text[]",
  (
    rows,
  ) => `update tasks t set status = 'running', lease_owner = h.owner, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      attempt = t.attempt + 1, started_at = coalesce(t.started_at, now()), claimed_at = now(), updated_at = now(), event_count = t.event_count + 1,
      failure = null, tags = t.tags || array(select tag from unnest(h.tags) as tag where tag <> all(t.tags))
    from (${locked(
      rows,
      `t.status = 'queued' and t.paused_at is null and t.approval_id is null and t.version_id = g.version_id and t.event_count = g.event_count
       and (t.not_before is null or t.not_before <= now())`,
    )}) h where t.ctid = h.place returning h.claim, floor(extract(epoch from t.started_at) * 1000)::bigint::text as told`,
);

const lease = guard(
  "lease",
  "id text, owner text",
  (rows) => `select claim, null::text as told from (${locked(rows, goesOn)}) h`,
);

/** The step whose end is written late is still open: an interrupted run has written and charged it already. */
const openStep = `exists (select from steps s where s.organization = g.organization and s.environment = g.environment and s.id = g.step and s.state = 'started')`;

/** The same, charging the tokens of a step that ends now. */
const charge = guard(
  "charge",
  "id text, owner text, step text, tokens bigint",
  (rows) =>
    `update tasks t set tokens = t.tokens + h.tokens from (${locked(rows, `${goesOn} and ${openStep}`)}) ${holds}`,
);

const ending = `${leased} and t.event_count = g.event_count and (g.step is null or ${openStep})`;

/** Completes a running task under the worker's lease. `step`: ends now as well. */
const complete = guard(
  "complete",
  "id text, owner text, event_count int, output text, predictions text?, trust_score float8, trust text, result_ref text, result_seal text, step text?, tokens bigint",
  (
    rows,
  ) => `update tasks t set status = 'completed', event_count = t.event_count + 1, ${leaseGivenUp}, output = h.output,
      predictions = h.predictions, failure = null, trust_score = h.trust_score, trust = h.trust,
      result_ref = h.result_ref, result_seal = h.result_seal, tokens = t.tokens + h.tokens
    from (${locked(rows, `${ending} and t.paused_at is null`)}) ${holds}`,
);

/**
 * A running task that nobody had to approve and whose lease the worker holds: a stop or pause ends it. Guards of a statement hold in the order of their names: where
 * another call of the same run stands in it, one of the two finds the row changed, and is lost.
 */
const endHeld = guard(
  "end held",
  "id text, owner text, event_count int, status text, failure text, result_ref text, result_seal text, kill_switch_id text?, step text?, tokens bigint",
  (
    rows,
  ) => `update tasks t set status = h.status, event_count = t.event_count + 1, ${leaseGivenUp}, failure = h.failure,
      result_ref = h.result_ref, result_seal = h.result_seal, kill_switch_id = coalesce(h.kill_switch_id, t.kill_switch_id), tokens = t.tokens + h.tokens
    from (${locked(rows, `${ending} and t.approval_id is null`)}) ${holds}`,
);

/** Open steps of ending tasks, but for one that ends in this call. As `closeOpenSteps` closes them. */
const closedSteps = append(
  "closed steps",
  "task_id text, apart text?, failure text",
  (
    rows,
  ) => `update steps s set state = case s.kind when 'tool' then 'unknown' else 'failed' end, failure = r.failure, finished_at = now() from ${rows} r
    where s.organization = r.organization and s.environment = r.environment and s.task_id = r.task_id and s.state = 'started' and s.id is distinct from r.apart`,
);

const stepColumns = "id, task_id, attempt, number, kind, name, state, input, output, failure, verdict, seal";

/** New steps, or, if they are made in this call, ended ones. */
const newSteps = append(
  "steps",
  "id text, task_id text, attempt smallint, number int, kind text, name text, state text, input text, output text?, failure text?, verdict text?, seal text?, read text?",
  (rows) => `insert into steps (organization, environment, ${stepColumns}, read, finished_at)
    select organization, environment, ${stepColumns}, read::jsonb, case when state <> 'started' then now() end from ${rows} r`,
);

const endedSteps = append(
  "ended steps",
  "id text, task_id text, state text, output text?, tokens bigint, seal text?",
  (
    rows,
  ) => `update steps s set state = r.state, output = r.output, tokens = r.tokens, seal = r.seal, finished_at = now() from ${rows} r
    where s.organization = r.organization and s.environment = r.environment and s.id = r.id and s.task_id = r.task_id and s.state = 'started'`,
);

const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Claims a queued task; `row` becomes what it is then. */
export function holdClaim(ctx: GroupContext, row: TaskRow, owner: string, tags: readonly string[]): TaskRow {
  const { id, version_id, event_count } = row;
  const claimed: TaskRow = {
    ...row,
    status: "running",
    lease_owner: owner,
    attempt: row.attempt + 1,
    event_count: event_count + 1,
    failure: null,
    tags: [...row.tags, ...tags.filter((tag) => !row.tags.includes(tag))],
  };
  ctx.guard(claim, { id, owner, version_id, event_count, tags: arrayLiteral(claimed.tags) }, (began) => {
    claimed.started_at = new Date(Number(began));
  });
  return claimed;
}

/** Writes under the worker's lease, with the end of the step before if it is still to be written. */
export function holdLease(ctx: GroupContext, { id }: TaskRow, owner: string, late: LateEnd | null): void {
  const tokens = late?.tokens ?? 0;
  if (late && tokens > 0) ctx.guard(charge, { id, owner, step: late.id, tokens });
  else ctx.guard(lease, { id, owner });
  if (late) appendEnd(ctx, id, late);
}

interface Completion {
  readonly owner: string;
  readonly output: string;
  readonly predictions: string | null;
  readonly trust: { readonly score: number; readonly text: string };
  readonly late: LateEnd | null;
}

/** Completes the task under the worker's lease. Returns its row. */
export function holdCompletion(
  ctx: GroupContext,
  row: TaskRow,
  { owner, output, predictions, trust, late }: Completion,
) {
  const { id, event_count } = row;
  const end = { output, predictions, trust_score: trust.score, trust: trust.text };
  const ended: TaskRow = { ...row, ...end, status: "completed", failure: null };
  ctx.guard(complete, { id, owner, event_count, ...end, ...endSeal(ctx, ended), ...lastStep(late) });
  if (late) appendEnd(ctx, id, late);
  wakeBelonging(ctx, row);
  wakeShadow(ctx, row);
  return { ...ended, event_count: event_count + 1 };
}

interface HeldEnd {
  readonly owner: string;
  readonly to: "cancelled" | "blocked";
  readonly failure: string;
  readonly killSwitchId: string | null;
  readonly late: LateEnd | null;
}

/** Ends the task by a kill switch or pause under the worker's lease, with its open steps. Returns its row. */
export function holdEndHeld(
  ctx: GroupContext,
  row: TaskRow,
  { owner, to, failure, killSwitchId, late }: HeldEnd,
): TaskRow {
  const { id, event_count } = row;
  const ended: TaskRow = { ...row, status: to, failure };
  const end = { status: to, failure, kill_switch_id: killSwitchId, ...endSeal(ctx, ended) };
  ctx.guard(endHeld, { id, owner, event_count, ...end, ...lastStep(late) });
  if (late) appendEnd(ctx, id, late);
  ctx.append(closedSteps, { task_id: id, apart: late?.id ?? null, failure });
  wakeBelonging(ctx, row);
  return { ...ended, event_count: event_count + 1 };
}

/** Wakes the run or the conversation of a task. */
function wakeBelonging(ctx: GroupContext, { id, run_id, conversation }: TaskRow): void {
  if (run_id !== null) ctx.enqueue(wakeRun(ctx.scope, run_id));
  if (conversation !== null) ctx.enqueue(wakeConversation(ctx.scope, conversation, id));
}

const lastStep = (late: LateEnd | null) => ({ step: late?.id ?? null, tokens: late?.tokens ?? 0 });

function appendEnd(ctx: GroupContext, task_id: string, { id, state, output, tokens = 0, seal = null }: LateEnd): void {
  ctx.append(endedSteps, { id, task_id, state, output: textOf(output), tokens, seal });
}

/** Appends a step under a guard that holds the task. */
export function appendStep(ctx: GroupContext, { id: task_id, attempt }: TaskRow, step: NewStep): void {
  const { id, number, kind, name, state = "started", verdict = null } = step;
  const texts = {
    input: JSON.stringify(step.input),
    output: textOf(step.output),
    failure: textOf(step.failure),
    read: textOf(step.read),
  };
  const seal = stepSeal(ctx.seals, ctx.scope, task_id, id, step.output);
  ctx.append(newSteps, { id, task_id, attempt, number, kind, name, state, verdict, seal, ...texts });
}
