import type { WriteContext } from "../../kernel/context.ts";
import { listLearntFrom } from "../agents/public.ts";
import { listTaughtInputs } from "../tasks/public.ts";
import type { RunRow } from "./run-store.ts";

/**
 * Items of a run's dataset that say nothing new of its version, by name: those that it was trained from, since it was told what is right of them and training
 * has counted those it held out, and those made of tasks, which repeat what was said of the task, or the outcome of one that nobody judged.
 */
export async function findKnownItems(ctx: WriteContext, run: RunRow): Promise<ReadonlySet<string>> {
  const { datasets, inputs, feedback_before: before } = await listLearntFrom(ctx, run);
  const taught = before === null ? [] : await listTaughtInputs(ctx, { agent: run.agent, skill: run.skill, before });
  const rows = await ctx.db.query<{ name: string }>(
    `with own as (
       select organization, name, input, source_task from dataset_items
       where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3))
     select name from own where source_task is not null
     union select own.name from own join unnest($4::text[]) as given(input) using (input)
     union select own.name from unnest($5::text[], $6::int[]) as learnt(id, version)
       join dataset_items i on i.organization = $1 and i.dataset_id = learnt.id and i.since <= learnt.version and (i.until is null or i.until > learnt.version)
       join own using (input)`,
    [
      ctx.scope.organization,
      run.dataset_id,
      run.dataset_version,
      [...inputs, ...taught],
      datasets.map(({ id }) => id),
      datasets.map(({ version }) => version),
    ],
  );
  return new Set(rows.map(({ name }) => name));
}
