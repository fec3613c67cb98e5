import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { auditRecordRows } from "../../../audit-log/shared-rows.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { recordedNames } from "../../../kernel/former-actions.ts";
import { lowestId, timeOfId } from "../../../kernel/ids.ts";
import { madeAt } from "../../../kernel/moment.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { policyPort, type RecordedTexts } from "../ports.ts";
import { policyFacts } from "./facts.ts";
import { inForce, type PolicyText } from "./rules.ts";
import type { ReplayReport } from "./schemas.ts";

export const dayMs = 86_400_000;
export const standardWindow = { days: 30, calls: 10_000 };

export interface Candidate {
  readonly id: string;
  readonly version: number;
  readonly text: PolicyText;
}

/**
 * Asks recorded calls what would become of them if the candidate decided now, beside the other policies in force and in place of its own earlier
 * versions. Reads page by page and takes no lock.
 */
export async function replayCandidate(
  ctx: ReadContext | WriteContext,
  candidate: Candidate,
  bounds: { readonly calls?: number | undefined; readonly since?: number | undefined } = {},
): Promise<ReplayReport> {
  const began = performance.now();
  const before = ctx.facts.get(policyFacts).of(ctx.scope);
  const others = before.filter(({ id }) => id !== candidate.id);
  const replaced = before.filter(({ id, state }) => id === candidate.id && state === "active");
  // A time in which it is to hold says nothing about what it would have done.
  const after = inForce(candidate.id, candidate.version, "active", { ...candidate.text, from: null, until: null });
  const actions = [after, ...replaced].flatMap(({ scope }) => ctx.port(policyPort).actionsOf(scope));
  const looked: Looked = { oldest: null };
  const findings = await ctx.port(policyPort).replay({
    before,
    after: [...others, after],
    candidate: candidate.id,
    now: ctx.now,
    pages: recordedCalls(
      ctx,
      {
        actions: [...new Set(actions)],
        calls: bounds.calls ?? standardWindow.calls,
        since: bounds.since ?? ctx.now - standardWindow.days * dayMs,
      },
      looked,
    ),
  });
  const report = {
    ...findings,
    examples: [...findings.examples],
    by_agent: [...findings.by_agent],
    from: looked.oldest === null ? null : madeAt(looked.oldest),
    to: timestamp(ctx.now),
  };
  const digest = createHash("sha256").update(canonicalJson(report)).digest("hex");
  return { ...report, digest, duration_ms: Math.round(performance.now() - began) };
}

const inWords = [
  ["would_be_denied", "would be denied"],
  ["would_wait", "would wait for people"],
  ["no_longer_denied", "would no longer be denied"],
  ["no_longer_wait", "would no longer wait"],
  ["would_be_redacted", "would be redacted"],
  ["would_be_limited", "would be limited"],
  ["failed", "could not be evaluated"],
  ["not_replayable", "left out"],
] as const;

/** A replay in one line, as it stands in the audit record of an activation. */
export function reportLine(report: ReplayReport): string {
  const number = (count: number): string => count.toLocaleString("en-US");
  const found = inWords.flatMap(([name, words]) => (report[name] > 0 ? [`${number(report[name])} ${words}`] : []));
  return `replayed over ${number(report.calls)} calls: ${found.join(", ") || "nothing changes"}; report sha256:${report.digest}`;
}

/** How many records one statement looks at: each is a statement of its own, so that none holds the log's horizon back for long. */
const pageSize = 2_000;
/** The most records that one replay looks at, whether or not they are calls of the actions asked for. */
const mostLookedAt = 400_000;

interface Row {
  id: string;
  body: string | null;
  /** Null: not a call of the actions asked for. */
  context: string | null;
}

interface TaskRow {
  id: string;
  input: string;
  trust: string;
  risk: string;
  /** Whether people were asked about the task, and so may have changed it. */
  asked: boolean;
  completed: boolean;
}

export interface Window {
  readonly actions: readonly string[];
  readonly calls: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface Looked {
  /** The record that was made first; null: none. */
  oldest: string | null;
}

/**
 * Recorded calls of some actions, the newest first, page by page. Of a task whose input, risk or trust were overwritten after its dispatch it is said
 * that they are no longer what policies saw: people who edited or resubmitted its input left the former one with the approval of that round, and a
 * completed task has the trust score of its end.
 */
export async function* recordedCalls(
  ctx: ReadContext | WriteContext,
  { actions, calls, since }: Window,
  looked: Looked,
): AsyncGenerator<readonly RecordedTexts[]> {
  const floor = lowestId("aud", since);
  const prefixes = recordedNames(actions).map((action) => `{"action":"${action}"%`);
  let before: string | null = null;
  let left = calls;
  for (let seen = 0; seen < mostLookedAt && left > 0; seen += pageSize) {
    const rows: Row[] = await readPage(ctx, { before, floor, prefixes });
    if (rows.length === 0) return;
    before = rows.at(-1)?.id ?? null;
    const found = rows.filter(({ context }) => context !== null && isSeen(ctx, context)).slice(0, left);
    left -= found.length;
    looked.oldest = left === 0 ? (found.at(-1)?.id ?? null) : before;
    yield await textsOf(ctx, found);
    if (rows.length < pageSize) return;
  }
}

const contextJson = storedJson<{ context: { readonly agent?: { readonly name: string } } }>();

function isSeen({ principal: { agents } }: ReadContext | WriteContext, context: string): boolean {
  if (agents === null) return true;
  const { agent } = contextJson({ context }, "context");
  return agent !== undefined && agents.includes(agent.name);
}

/** The next records; those of the actions asked for with their texts. */
function readPage(
  ctx: ReadContext | WriteContext,
  page: { before: string | null; floor: string; prefixes: readonly string[] },
): Promise<Row[]> {
  return ctx.db.query<Row>(
    `select id, case when context like any($5::text[]) then body end as body, case when context like any($5::text[]) then context end as context
     from ${auditRecordRows} audit_records where organization = $1 and environment = $2 and id >= $3 and ($4::text is null or id < $4) order by id desc limit $6`,
    [ctx.scope.organization, ctx.scope.environment, page.floor, page.before, page.prefixes, pageSize],
  );
}

const inputOf = /^\{"action":"[a-z_.]+","input_of":"(tsk_[0-9a-z]{26})"/;
const taskOf = (context: string): string | undefined => inputOf.exec(context)?.[1];

const ofRevision = ["input", "trust", "risk"];
const ofCompletion = ["trust"];

async function textsOf(ctx: ReadContext | WriteContext, rows: readonly Row[]): Promise<RecordedTexts[]> {
  const named = rows.flatMap(({ context }) => taskOf(context as string) ?? []);
  const tasks = new Map((await readTasks(ctx, named)).map((task) => [task.id, task]));
  const asked = [...tasks.values()].filter((task) => task.asked).map(({ id }) => id);
  // Asked after the tasks were read: a revision that shows in them shows here.
  const revised = await revisedTasks(ctx, asked);
  return rows.map(({ id, body, context }) => {
    const task = tasks.get(taskOf(context as string) ?? "");
    const changed = task === undefined ? [] : revised.has(task.id) ? ofRevision : task.completed ? ofCompletion : [];
    return { id, body: body as string, context: context as string, task: task ?? null, changed };
  });
}

async function readTasks(ctx: ReadContext | WriteContext, ids: readonly string[]): Promise<TaskRow[]> {
  if (ids.length === 0) return [];
  return ctx.db.query<TaskRow>(
    `select id, input, trust, risk, approval_id is not null as asked, status = 'completed' as completed from ${taskRows} tasks
     where organization = $1 and environment = $2 and id = any($3)`,
    [ctx.scope.organization, ctx.scope.environment, ids],
  );
}

async function revisedTasks(ctx: ReadContext | WriteContext, asked: readonly string[]): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set();
  const oldest = Math.min(...asked.map((task) => timeOfId(task) as number));
  const revised = await ctx.db.query<{ task_id: string }>(
    `select distinct task_id from ${approvalRows} approvals
     where organization = $1 and environment = $2 and id >= $3 and task_id = any($4) and tool is null and arguments is not null`,
    [ctx.scope.organization, ctx.scope.environment, lowestId("apr", oldest), asked],
  );
  return new Set(revised.map(({ task_id }) => task_id));
}
