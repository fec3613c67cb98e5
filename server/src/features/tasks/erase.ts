import { all, remove, select, sql, update } from "../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import { resultSeal } from "./result.ts";
import type { TaskRow } from "./task-row.ts";

// A task whose contents are erased stays as a skeleton: who ran what, when, at which cost, with which outcome, and the records that commit to it.

const erased = "Erased on request.";

type Erasing = Pick<WriteContext, "scope" | "db"> & Pick<CallContext, "seals">;

/** Texts that tools of tasks were called with, such as what was searched for. */
export async function listToolTexts(
  ctx: { readonly db: Statements } & Pick<CallContext, "scope">,
  tasks: readonly string[],
): Promise<string[]> {
  const rows = await all(
    ctx,
    select(ctx, "steps", "s").select("s.input").where("s.task_id", "in", tasks).where("s.kind", "=", "tool"),
  );
  return [...new Set(rows.flatMap(({ input }) => textsIn(JSON.parse(input))))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Erases what tasks that have ended were given, did and answered, and what people wrote about them. */
export async function eraseTaskContents(ctx: Erasing, tasks: readonly string[]): Promise<void> {
  if (tasks.length === 0) return;
  await eraseTasks(ctx, tasks);
  await all(ctx, remove(ctx, "task_redactions").where("task_id", "in", tasks));
  const step = { input: "{}", output: null, failure: null, asked: null, action: null, seal: null, verdict: null };
  await all(ctx, update(ctx, "steps").set(step).where("task_id", "in", tasks));
  const feedback = { correction: null, comment: null, trains: false };
  await all(ctx, update(ctx, "task_feedback").set(feedback).where("task_id", "in", tasks));
  await eraseApprovals(ctx, tasks);
}

/** The seal is made anew over what is left, so that the skeleton reads as intact; the record of the end still commits to what was there. */
async function eraseTasks(ctx: Erasing, tasks: readonly string[]): Promise<void> {
  const rows = await all(
    ctx,
    select(ctx, "tasks", "t").selectAll("t").where("t.id", "in", tasks).orderBy("t.id").forUpdate(),
  );
  const left = rows.map((row) => {
    const failure = row.failure === null ? null : JSON.stringify({ code: codeOf(row.failure), detail: erased });
    const emptied = { ...row, input: "{}", output: null, predictions: null, failure };
    return {
      id: row.id,
      failure,
      seal: row.result_seal === null ? null : resultSeal(ctx, emptied as TaskRow, row.result_ref),
    };
  });
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `update tasks t set input = '{}', output = null, predictions = null, title = null, question = null, answer = null,
       failure = e.failure, result_seal = e.seal
     from unnest($3::text[], $4::text[], $5::text[]) as e(id, failure, seal)
     where t.organization = $1 and t.environment = $2 and t.id = e.id`,
    [organization, environment, left.map(({ id }) => id), left.map((one) => one.failure), left.map(({ seal }) => seal)],
  );
}

const codeOf = (failure: string): string => String((JSON.parse(failure) as { code?: unknown }).code ?? "failed");

async function eraseApprovals(ctx: Erasing, tasks: readonly string[]): Promise<void> {
  const changes = {
    ...{ arguments: sql<string | null>`case when arguments is null then null else '{}' end`, summary: erased },
    ...{ title: null, reason: null, reasons: "[]" },
  };
  const approvals = await all(ctx, update(ctx, "approvals").set(changes).where("task_id", "in", tasks).returning("id"));
  const ids = approvals.map(({ id }) => id);
  if (ids.length > 0)
    await all(ctx, update(ctx, "approval_votes").set({ reason: null }).where("approval_id", "in", ids));
}
