import { compileUserSchema } from "@aos/json-schema";
import { type Decider, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { connectionDeciders, keyDeciders } from "../../admin/public.ts";
import {
  connectionsUsed,
  findChat,
  findKnownAgent,
  findLiveSkill,
  findVersion,
  type LiveSkill,
  type LiveVersion,
  skillNamed,
  versionDeciders,
} from "../../agents/public.ts";
import { findTask, type TaskRow, updateTask } from "../tasks/store.ts";

/** Adds persons who decide what a task does from now on. The caller has locked the open task. */
export async function addDeciders(ctx: WriteContext, task: TaskRow, added: readonly Decider[]): Promise<TaskRow> {
  const deciders = storableDeciders(unite(storedDeciders(task.deciders), added));
  return (await updateTask(ctx, { id: task.id, from: [task.status] }, { deciders })) ?? task;
}

/** Everybody accountable for what a task does; nobody if there is no such task. */
export async function decidersOfTask(ctx: ReadContext | WriteContext, id: string): Promise<readonly Decider[]> {
  const row = await findTask(ctx, id);
  if (!row) return [];
  const asking = await keyDeciders(ctx, row.principal, row.key_id);
  const skill = await pinnedSkill(ctx, row);
  return unite(asking, storedDeciders(row.deciders), await contentDeciders(ctx, row, skill?.definition ?? {}));
}

// Deciders of the content by which a task runs: its version with its deployment, and its connections.

/** Of a live version, from memory. */
export function liveContentDeciders(ctx: CallContext, version: LiveVersion, skill: LiveSkill): readonly Decider[] {
  const names = connectionsUsed(version.definition, skill.definition.tools ?? []);
  return unite(version.deciders, connectionDeciders(ctx, names));
}

/** Of a version that a task pins, live or not. `skill`: with the names of its tools. */
export async function contentDeciders(
  ctx: ReadContext | WriteContext,
  { agent, version_id: id }: { readonly agent: string; readonly version_id: string },
  skill: { readonly tools?: readonly string[] },
): Promise<readonly Decider[]> {
  const known = findKnownAgent(ctx, agent);
  const here = [known?.live, known?.canary?.version].find((version) => version?.id === id);
  const version = here ?? (await findVersion(ctx, id));
  const names = version ? connectionsUsed(version.definition, skill.tools ?? []) : [];
  return unite(await versionDeciders(ctx, agent, id), connectionDeciders(ctx, names));
}

/**
 * The skill of the version that a task pins, whichever version is deployed by now, ready to judge an input. Those that take tasks are in memory.
 * Undefined where the version or its skill is gone, and where the skill's input schema is no longer usable.
 */
export async function pinnedSkill(
  ctx: CallContext & { readonly db: Reader },
  task: Pick<TaskRow, "agent" | "version_id" | "skill" | "conversation">,
): Promise<LiveSkill | undefined> {
  const known = findKnownAgent(ctx, task.agent);
  const here = [known?.live, known?.canary?.version].find((version) => version?.id === task.version_id);
  const isTurn = task.conversation !== null;
  if (here) return isTurn ? findChat(here.definition) : findLiveSkill(here, task.skill);
  const version = await findVersion(ctx, task.version_id);
  if (version && isTurn) return findChat(version.definition);
  const definition = version && skillNamed(version.definition, task.skill);
  if (!version || !definition) return undefined;
  const compiled = compileUserSchema(definition.input);
  if (!compiled.ok) return undefined;
  const named = version.definition.tools.filter(({ name }) => definition.tools?.includes(name));
  return { definition, validate: compiled.validate, tools: named };
}
