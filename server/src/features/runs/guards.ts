import { arrayLiteral, defineAppendTable, defineGuard } from "../../kernel/append.ts";
import type { GroupContext } from "../../kernel/context.ts";
import { endSeal, stepSeal, type TaskRow } from "../tasks/public.ts";
import type { LateEnd } from "./held-run.ts";
import { leaseSeconds } from "./model.ts";
import type { NewStep } from "./step-store.ts";

// What the calls of runs write in groups, and what has to hold of their tasks for it. All times are the database's, as in transactions.

/** The tasks that `rows` name, locked, where `holds` holds of them. */
const locked = (rows: string, holds: string): string =>
  `select g.*, t.ctid as place from ${rows} g
   join tasks t on t.organization = g.organization and t.environment = g.environment and t.id = g.id
   where ${holds} for update of t skip locked`;

const scoped = [
  ["organization", "text"],
  ["environment", "text"],
  ["id", "text"],
  ["owner", "text"],
] as const;

const leased = "t.status = 'running' and t.lease_owner = g.owner";

/** A queued task that nobody had to approve, as it was looked at: it is the worker's now. Tells when its run began, in milliseconds since the epoch. */
const claim = defineGuard<{ id: string; owner: string; version_id: string; event_count: number; tags: string }>({
  name: "claim",
  columns: [...scoped, ["version_id", "text"], ["event_count", "int"], ["tags", "text", "text[]"]],
  hold: (
    rows,
  ) => `update tasks t set status = 'running', lease_owner = h.owner, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      attempt = t.attempt + 1, started_at = coalesce(t.started_at, now()), claimed_at = now(), updated_at = now(), event_count = t.event_count + 1,
      failure = null, tags = t.tags || array(select tag from unnest(h.tags) as tag where tag <> all(t.tags))
    from (${locked(
      rows,
      `t.status = 'queued' and t.approval_id is null and t.version_id = g.version_id and t.event_count = g.event_count
       and (t.not_before is null or t.not_before <= now())`,
    )}) h where t.ctid = h.place returning h.claim, floor(extract(epoch from t.started_at) * 1000)::bigint::text as told`,
});

/** A running task whose lease the worker holds. */
const lease = defineGuard<{ id: string; owner: string }>({
  name: "lease",
  columns: scoped,
  hold: (rows) => `select claim, null::text as told from (${locked(rows, leased)}) h`,
});

/** The step whose end is written late has none yet: a run that was broken off meanwhile has written it, and charged for it. */
const openStep = `exists (select from steps s where s.organization = g.organization and s.environment = g.environment and s.id = g.step and s.state = 'started')`;

/** The same, and it is charged with the tokens of a step that ends now. */
const charge = defineGuard<{ id: string; owner: string; step: string; tokens: number }>({
  name: "charge",
  columns: [...scoped, ["step", "text"], ["tokens", "bigint"]],
  hold: (rows) => `update tasks t set tokens = t.tokens + h.tokens from (${locked(rows, `${leased} and ${openStep}`)}) h
    where t.ctid = h.place returning h.claim, null::text as told`,
});

/** A running task whose lease the worker holds, and that completes. */
const complete = defineGuard<{
  id: string;
  owner: string;
  event_count: number;
  output: string;
  predictions: string | null;
  trust_score: number;
  trust: string;
  result_ref: string;
  result_seal: string;
  /** That ends now as well; null: none. */
  step: string | null;
  tokens: number;
}>({
  name: "complete",
  columns: [
    ...scoped,
    ["event_count", "int"],
    ["output", "text"],
    ["predictions", "text"],
    ["trust_score", "float8"],
    ["trust", "text"],
    ["result_ref", "text"],
    ["result_seal", "text"],
    ["step", "text"],
    ["tokens", "bigint"],
  ],
  hold: (
    rows,
  ) => `update tasks t set status = 'completed', event_count = t.event_count + 1, updated_at = now(), lease_owner = null, lease_until = null,
      finished_at = now(), output = h.output, predictions = h.predictions, failure = null, trust_score = h.trust_score, trust = h.trust,
      result_ref = h.result_ref, result_seal = h.result_seal, tokens = t.tokens + h.tokens
    from (${locked(rows, `${leased} and t.event_count = g.event_count and (g.step is null or ${openStep})`)}) h where t.ctid = h.place returning h.claim, null::text as told`,
});

/**
 * A running task that nobody had to approve and whose lease the worker holds: a stop or pause ends it. Guards of a statement hold in the order of their names: where
 * another call of the same run stands in it, one of the two finds the row changed, and is lost.
 */
const endHeld = defineGuard<{
  id: string;
  owner: string;
  event_count: number;
  status: string;
  failure: string;
  result_ref: string;
  result_seal: string;
  kill_switch_id: string | null;
  /** That ends now as well; null: none. */
  step: string | null;
  tokens: number;
}>({
  name: "end held",
  columns: [
    ...scoped,
    ["event_count", "int"],
    ["status", "text"],
    ["failure", "text"],
    ["result_ref", "text"],
    ["result_seal", "text"],
    ["kill_switch_id", "text"],
    ["step", "text"],
    ["tokens", "bigint"],
  ],
  hold: (
    rows,
  ) => `update tasks t set status = h.status, event_count = t.event_count + 1, updated_at = now(), lease_owner = null, lease_until = null,
      finished_at = now(), failure = h.failure, result_ref = h.result_ref, result_seal = h.result_seal, kill_switch_id = coalesce(h.kill_switch_id, t.kill_switch_id), tokens = t.tokens + h.tokens
    from (${locked(
      rows,
      `${leased} and t.event_count = g.event_count and t.approval_id is null and (g.step is null or ${openStep})`,
    )}) h where t.ctid = h.place returning h.claim, null::text as told`,
});

/** Steps of tasks that end while they are under way, but for one that ends by itself in this very call. As `closeOpenSteps` closes them. */
const closedSteps = defineAppendTable<{ task_id: string; apart: string | null; failure: string }>({
  table: "closed steps",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["task_id", "text"],
    ["apart", "text"],
    ["failure", "text"],
  ],
  write: (
    rows,
  ) => `update steps s set state = case s.kind when 'tool' then 'unknown' else 'failed' end, failure = r.failure, finished_at = now() from ${rows} r
    where s.organization = r.organization and s.environment = r.environment and s.task_id = r.task_id and s.state = 'started' and s.id is distinct from r.apart`,
});

/** Steps as they are begun, or, where they are made in this very call, as they ended. */
const newSteps = defineAppendTable<{
  id: string;
  task_id: string;
  attempt: number;
  number: number;
  kind: string;
  name: string;
  state: string;
  input: string;
  output: string | null;
  failure: string | null;
  verdict: string | null;
  seal: string | null;
}>({
  table: "steps",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["task_id", "text"],
    ["attempt", "smallint"],
    ["number", "int"],
    ["kind", "text"],
    ["name", "text"],
    ["state", "text"],
    ["input", "text"],
    ["output", "text"],
    ["failure", "text"],
    ["verdict", "text"],
    ["seal", "text"],
  ],
  write: (
    rows,
  ) => `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, output, failure, verdict, seal, finished_at)
    select organization, environment, id, task_id, attempt, number, kind, name, state, input, output, failure, verdict, seal,
      case when state <> 'started' then now() end from ${rows} r`,
});

/** Ends of steps that were begun before. */
const endedSteps = defineAppendTable<{
  id: string;
  task_id: string;
  state: string;
  output: string | null;
  tokens: number;
  seal: string | null;
}>({
  table: "ended steps",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["task_id", "text"],
    ["state", "text"],
    ["output", "text"],
    ["tokens", "bigint"],
    ["seal", "text"],
  ],
  write: (
    rows,
  ) => `update steps s set state = r.state, output = r.output, tokens = r.tokens, seal = r.seal, finished_at = now() from ${rows} r
    where s.organization = r.organization and s.environment = r.environment and s.id = r.id and s.task_id = r.task_id and s.state = 'started'`,
});

const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Claims a queued task as it was looked at: `row` becomes what it is then. */
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

/** Writes under the worker's lease, with the end of the step before, where that is still to be written. */
export function holdLease(ctx: GroupContext, { id }: TaskRow, owner: string, late: LateEnd | null): void {
  const tokens = late?.tokens ?? 0;
  if (late && tokens > 0) ctx.guard(charge, { id, owner, step: late.id, tokens });
  else ctx.guard(lease, { id, owner });
  if (late) appendEnd(ctx, id, late);
}

/** Completes the task under the worker's lease. Answers its row as it is then. */
export function holdCompletion(
  ctx: GroupContext,
  row: TaskRow,
  {
    owner,
    output,
    predictions,
    trust,
    late,
  }: {
    owner: string;
    output: string;
    predictions: string | null;
    trust: { score: number; text: string };
    late: LateEnd | null;
  },
): TaskRow {
  const { id, event_count } = row;
  const ended: TaskRow = {
    ...row,
    status: "completed",
    output,
    predictions,
    failure: null,
    trust_score: trust.score,
    trust: trust.text,
  };
  ctx.guard(complete, {
    ...{
      id,
      owner,
      event_count,
      output,
      predictions,
      trust_score: trust.score,
      trust: trust.text,
      ...endSeal(ctx, ended),
    },
    step: late?.id ?? null,
    tokens: late?.tokens ?? 0,
  });
  if (late) appendEnd(ctx, id, late);
  return { ...ended, event_count: event_count + 1 };
}

/** Ends the task by a stop or pause under the worker's lease, with the steps that are under way. Answers its row as it is then. */
export function holdEndHeld(
  ctx: GroupContext,
  row: TaskRow,
  {
    owner,
    to,
    failure,
    killSwitchId,
    late,
  }: { owner: string; to: "cancelled" | "blocked"; failure: string; killSwitchId: string | null; late: LateEnd | null },
): TaskRow {
  const { id, event_count } = row;
  const step = late?.id ?? null;
  const ended: TaskRow = { ...row, status: to, failure };
  ctx.guard(endHeld, {
    ...{ id, owner, event_count, status: to, failure, kill_switch_id: killSwitchId, ...endSeal(ctx, ended) },
    step,
    tokens: late?.tokens ?? 0,
  });
  if (late) appendEnd(ctx, id, late);
  ctx.append(closedSteps, { task_id: id, apart: step, failure });
  return { ...ended, event_count: event_count + 1 };
}

function appendEnd(ctx: GroupContext, task_id: string, { id, state, output, tokens = 0, seal = null }: LateEnd): void {
  ctx.append(endedSteps, { id, task_id, state, output: textOf(output), tokens, seal });
}

/** Writes a step down, under a guard that holds the task. */
export function appendStep(ctx: GroupContext, { id: task_id, attempt }: TaskRow, step: NewStep): void {
  const { id, number, kind, name, state = "started", verdict = null } = step;
  const texts = { input: JSON.stringify(step.input), output: textOf(step.output), failure: textOf(step.failure) };
  const seal = stepSeal(ctx.seals, ctx.scope, task_id, id, step.output);
  ctx.append(newSteps, { id, task_id, attempt, number, kind, name, state, verdict, seal, ...texts });
}
