import type { WriteContext } from "../../kernel/context.ts";
import { type JudgedCase, listLearntFrom } from "../agents/public.ts";
import { listTaughtInputs } from "../tasks/public.ts";
import { readCases } from "./result-store.ts";
import type { RunRow } from "./run-store.ts";

/**
 * The evidence for trust that a run adds: for each item that says something new, the mean of its scores over scorers and repeats. Its id is that of the
 * item, so a newer run over the same dataset replaces the evidence of the one before.
 */
export async function newJudgements(
  ctx: WriteContext,
  run: RunRow,
  scores: ReadonlyMap<string, readonly Readonly<Record<string, number>>[]>,
): Promise<JudgedCase[]> {
  const known = await findKnownItems(ctx, run);
  const cases = await readCases(ctx, run.id);
  const { agent, skill, version_id, dataset_id } = run;
  return [...scores].flatMap(([item, repeats]): JudgedCase[] => {
    const own = known.has(item) ? [] : repeats.flatMap((repeat) => Object.values(repeat));
    if (own.length === 0) return [];
    const outcome = own.reduce((sum, score) => sum + score, 0) / own.length;
    const signals = cases.get(item);
    const source = signals ? "evaluation" : "run";
    const id = `${dataset_id}/${item}`;
    return [{ agent, skill, version_id, id, source, origin: "evaluation", outcome, case: signals ?? {} }];
  });
}

/**
 * The names of items that say nothing new of the version: those that it was trained from or that training held out, and those made of tasks, which repeat
 * what was said of the task.
 */
async function findKnownItems(ctx: WriteContext, run: RunRow): Promise<ReadonlySet<string>> {
  const { datasets, inputs, feedback_before: before } = await listLearntFrom(ctx, run);
  const taught = before === null ? [] : await listTaughtInputs(ctx, { agent: run.agent, skill: run.skill, before });
  const rows = await ctx.db.query<{ name: string }>(
    `with own as (
       select organization, name, input, source_task from dataset_items
       where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3))
     select name from own where source_task is not null
     union select own.name from own join unnest($4::text[]) as given(input) using (input)
     union select own.name from json_to_recordset($5::json) as learnt(id text, version int)
       join dataset_items i on i.organization = $1 and i.dataset_id = learnt.id and i.since <= learnt.version and (i.until is null or i.until > learnt.version)
       join own using (input)`,
    [ctx.scope.organization, run.dataset_id, run.dataset_version, [...inputs, ...taught], JSON.stringify(datasets)],
  );
  return new Set(rows.map(({ name }) => name));
}
