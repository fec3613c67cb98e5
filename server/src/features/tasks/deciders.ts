import { type Decider, storableDeciders, storedDeciders, unite } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { keyDeciders } from "../admin/public.ts";
import { contentDeciders } from "./content-deciders.ts";
import { pinnedSkill } from "./pinned.ts";
import { findTask, type TaskRow, updateTask } from "./store.ts";

/** Adds persons who decide what a task does from now on. It is locked, and not over. */
export async function addDeciders(ctx: WriteContext, task: TaskRow, added: readonly Decider[]): Promise<TaskRow> {
  const deciders = storableDeciders(unite(storedDeciders(task.deciders), added));
  return (await updateTask(ctx, { id: task.id, from: [task.status] }, { deciders })) ?? task;
}

/** Everybody accountable for what a task does and answers; nobody where there is no such task. */
export async function decidersOfTask(ctx: ReadContext | WriteContext, id: string): Promise<readonly Decider[]> {
  const row = await findTask(ctx, id);
  if (!row) return [];
  const asking = await keyDeciders(ctx, row.principal, row.key_id);
  const skill = await pinnedSkill(ctx, row);
  return unite(asking, storedDeciders(row.deciders), await contentDeciders(ctx, row, skill?.definition ?? {}));
}
