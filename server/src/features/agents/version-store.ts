import type { CallContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import type { AgentDefinition } from "./schemas.ts";

/** A version as it was frozen. */
export interface VersionRow {
  id: string;
  agent: string;
  number: number;
  definition: AgentDefinition;
}

// Versions belong to the organization: the environment is asked for by every loader, and narrows nothing here.
const versionById = defineLoader<VersionRow>(
  "agent version by id",
  `select id as loader_key, id, agent, number, definition from agent_versions where organization = $1 and $2::text is not null and id = any($3::text[])`,
);

/** A version of an agent by its id, deployed or not: what a task that pinned it runs. */
export async function findVersion(ctx: CallContext & { db: Reader }, versionId: string): Promise<VersionRow | undefined> {
  return ctx.db.load(versionById, ctx.scope, versionId);
}
