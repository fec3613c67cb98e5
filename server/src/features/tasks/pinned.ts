import { compileUserSchema } from "@aos/json-schema";
import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { findChat, findKnownAgent, findLiveSkill, findVersion, type LiveSkill, skillNamed } from "../agents/public.ts";
import type { TaskRow } from "./store.ts";

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
