import { auditLeafRows, auditLogRows } from "../../../audit-log/shared-rows.ts";
import type { CallContext, ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Statements, Sweep } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { insufficientScope, invalidParameter } from "../../../kernel/problems.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import type { ErasedWork, EraseWork } from "../../../resources/tables.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { stepRows, taskRows } from "../../tasks/shared-rows.ts";

// An index of the words of tasks. Whoever changes a task leaves a record in the log, so that the index follows the log and holds what stands in the tables.

/** Logs that one look takes up, and places of each. */
const [logsAtOnce, placesAtOnce] = [20, 1_000];

/** Tasks that a search by words may come to: of more, the newest. */
const mostTasks = 5_000;

interface Behind extends Scope {
  readonly after: number;
  readonly until: number;
}

/** Takes up the words of tasks that have records behind the place that was reached. */
export const wordSweep: Sweep = {
  name: "audit.words",
  async run({ db }) {
    const faults: unknown[] = [];
    // One log is at fault: the others are not to wait for it.
    for (const log of await listBehind(db)) await takeUp(db, log).catch((error: unknown) => void faults.push(error));
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} logs could not be taken up`);
  },
};

const listBehind = (db: Statements): Promise<Behind[]> =>
  db.query<Behind>(
    `select l.organization, l.environment, coalesce(p.leaf_index, -1)::float8 as after,
            least(l.first_leaf + l.tree_size - 1, coalesce(p.leaf_index, -1) + $1)::float8 as until
     from ${auditLogRows} l left join audit_word_places p using (organization, environment)
     where l.first_leaf + l.tree_size - 1 > coalesce(p.leaf_index, -1)
     order by l.updated_at limit $2`,
    [placesAtOnce, logsAtOnce],
  );

/** One statement, so that the place moves with what was taken up; done again, it comes to the same. */
async function takeUp(db: Statements, { organization, environment, after, until }: Behind): Promise<void> {
  await db.query(
    `with touched as (
       select distinct l.task_id from ${auditLeafRows} l
       where l.organization = $1 and l.environment = $2 and l.leaf_index > $3 and l.leaf_index <= $4 and l.task_id is not null
     ), taken as (
       insert into audit_words (organization, environment, task_id, words, task_updated_at)
       select t.organization, t.environment, t.id, searchable_words(concat_ws(' ',
           t.id, t.agent, t.skill, array_to_string(t.labels, ' '), t.title, t.input, t.output, a.words, s.words)), t.updated_at
       from touched join ${taskRows} t on t.organization = $1 and t.environment = $2 and t.id = touched.task_id
       left join audit_words w on w.organization = $1 and w.environment = $2 and w.task_id = t.id
       left join lateral (
         select string_agg(concat_ws(' ', a.id, a.tool, a.summary, a.arguments, a.reason), ' ') as words
         from ${approvalRows} a where a.organization = $1 and a.environment = $2 and a.task_id = t.id) a on true
       left join lateral (
         select string_agg(s.action, ' ') as words
         from ${stepRows} s where s.organization = $1 and s.environment = $2 and s.task_id = t.id) s on true
       where w.task_id is null or w.task_updated_at < t.updated_at
       on conflict (organization, environment, task_id) do update set words = excluded.words, task_updated_at = excluded.task_updated_at
     )
     insert into audit_word_places (organization, environment, leaf_index) values ($1, $2, $4)
     on conflict (organization, environment) do update set leaf_index = excluded.leaf_index`,
    [organization, environment, after, until],
  );
}

/** SQL: the tasks whose words match the query of a parameter. `$1` is the organization, `$2` the environment. */
export const tasksWith = (parameter: string): string =>
  `(select w.task_id from audit_words w where w.organization = $1 and w.environment = $2
      and w.words @@ websearch_to_tsquery('simple', searchable_text(${parameter})) order by w.task_id desc limit ${mostTasks})`;

/** Refuses a search by words to who may not read tasks, whose words it would tell, and one that every task would have to be read for. */
export async function checkText(ctx: ReadContext, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  if (!principalHolds(ctx.principal, "tasks:read")) {
    throw refuse(insufficientScope, "A search by the words of tasks needs tasks:read as well.", {
      stage: "permissions",
      members: { missing_scope: "tasks:read" },
    });
  }
  const asked = "select querytree(websearch_to_tsquery('simple', searchable_text($1))) as tree";
  const [found] = await ctx.db.query<{ tree: string }>(asked, [text]);
  if (found && found.tree !== "" && found.tree !== "T") return;
  const detail = "has no word that a task would have to contain; add one";
  throw refuse(invalidParameter, `text: ${detail}`, { errors: [{ parameter: "text", code: "no_words", detail }] });
}

/** Forgets the words of erased tasks. */
export async function forgetWords(
  { scope, db }: Parameters<EraseWork>[0] & Pick<CallContext, "scope">,
  { tasks }: ErasedWork,
): Promise<void> {
  await db.query("delete from audit_words where organization = $1 and environment = $2 and task_id = any($3)", [
    scope.organization,
    scope.environment,
    tasks,
  ]);
}
