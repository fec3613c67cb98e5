import { type Decider, unite } from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { connectionDeciders } from "../admin/public.ts";
import {
  connectionsUsed,
  findKnownAgent,
  findVersion,
  type LiveSkill,
  type LiveVersion,
  versionDeciders,
} from "../agents/public.ts";

// Who decided the standing content by which a task runs: its version with its deployment, and the connections that it uses.

/** Of a version that is live, from memory. */
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
