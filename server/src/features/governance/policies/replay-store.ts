import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { recordedNames } from "../../../kernel/former-actions.ts";
import { lowestId, timeOfId } from "../../../kernel/ids.ts";
import type { RecordedTexts } from "../ports.ts";

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
  /** The most calls. */
  readonly calls: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Counts what a replay has looked at. */
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

/** A key that is narrowed to agents replays their calls. */
function isSeen({ principal: { agents } }: ReadContext | WriteContext, context: string): boolean {
  if (agents === null) return true;
  const { agent } = JSON.parse(context) as { readonly agent?: { readonly name: string } };
  return agent !== undefined && agents.includes(agent.name);
}

/** The next records; those of the actions asked for with their texts. */
function readPage(
  ctx: ReadContext | WriteContext,
  page: { before: string | null; floor: string; prefixes: readonly string[] },
): Promise<Row[]> {
  return ctx.db.query<Row>(
    `select id, case when context like any($5::text[]) then body end as body, case when context like any($5::text[]) then context end as context
     from audit_records where organization = $1 and environment = $2 and id >= $3 and ($4::text is null or id < $4) order by id desc limit $6`,
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
    `select id, input, trust, risk, approval_id is not null as asked, status = 'completed' as completed from tasks
     where organization = $1 and environment = $2 and id = any($3)`,
    [ctx.scope.organization, ctx.scope.environment, ids],
  );
}

/** Which of these tasks were given another input. */
async function revisedTasks(ctx: ReadContext | WriteContext, asked: readonly string[]): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set();
  const oldest = Math.min(...asked.map((task) => timeOfId(task) as number));
  const revised = await ctx.db.query<{ task_id: string }>(
    `select distinct task_id from approvals
     where organization = $1 and environment = $2 and id >= $3 and task_id = any($4) and tool is null and arguments is not null`,
    [ctx.scope.organization, ctx.scope.environment, lowestId("apr", oldest), asked],
  );
  return new Set(revised.map(({ task_id }) => task_id));
}
