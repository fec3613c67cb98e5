import { redact } from "@aos/data-classes";
import { all, select } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { definePort, type PortReader } from "../../../kernel/port.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import type { ErasedWork, EraseWork } from "../../../resources/tables.ts";
import { resultSeal } from "./result.ts";
import { type TaskRow, taskJson } from "./row.ts";

// An erased task keeps its skeleton: who ran what, when, at which cost, with which outcome, and the records that commit to it.

const erased = "Erased on request.";

type Erasing = Parameters<EraseWork>[0];

/** Texts that a task's tools were called with, such as search terms. */
async function listToolTexts(
  ctx: { readonly db: Statements } & Pick<CallContext, "scope">,
  tasks: readonly string[],
): Promise<string[]> {
  const rows = await all(
    ctx,
    select(ctx, "steps", "s").select("s.input").where("s.task_id", "in", tasks).where("s.kind", "=", "tool"),
  );
  return [...new Set(rows.flatMap(({ input }) => textsIn(parseJson(input))))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What erases the contents of tasks in every table that holds some, by the tables' owners. */
export const workErasers = definePort<readonly EraseWork[]>("erasers of the contents of tasks");

/** Erases the contents of tasks that have ended, wherever they were copied to, and what people wrote about them. */
export async function eraseWork(ctx: Erasing & PortReader, tasks: readonly string[]): Promise<void> {
  if (tasks.length === 0) return;
  const texts = (await listToolTexts(ctx, tasks)).map((text) => String(redact(text).value));
  for (const erase of ctx.port(workErasers)) await erase(ctx, { tasks, texts });
}

/** The skeleton is sealed again, so that it reads as intact; the record of the end still commits to what was erased. */
export async function eraseTasks(ctx: Erasing, { tasks }: ErasedWork): Promise<void> {
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
    `update tasks t set input = '{}', output = null, predictions = null, title = null, question = null, answer = null, pause_reason = null,
       failure = e.failure, result_seal = e.seal
     from unnest($3::text[], $4::text[], $5::text[]) as e(id, failure, seal)
     where t.organization = $1 and t.environment = $2 and t.id = e.id`,
    [organization, environment, left.map(({ id }) => id), left.map((one) => one.failure), left.map(({ seal }) => seal)],
  );
}

const codeOf = (failure: string): string => taskJson({ failure }, "failure").code ?? "failed";
