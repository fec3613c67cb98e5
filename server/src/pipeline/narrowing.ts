import { beyond, type Concerned, permitAgents } from "../kernel/narrowing.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import type { Principal } from "../kernel/principal.ts";
import type { Attempt } from "./stages.ts";
import { readContext } from "./effect.ts";

// Keys that are narrowed to agents, as each operation declares it. Part of permissions: repetitions and dry runs pass it like any call.

/** Refuses at once what no narrowed key may do, before anything is looked up. */
export function refuseWhole({ agents }: Principal, { narrowing }: SealedSpec): void {
  if (agents !== null && narrowing?.kind === "whole") throw beyond(agents, `this call ${narrowing.text}`);
}

/**
 * Holds a key that is narrowed to agents to the objects of the path: those that name their agents, and those of which the operation knows them. Where neither
 * is so and the operation does not say how else it is held, the call is refused.
 */
export async function permitObjects(attempt: Attempt): Promise<void> {
  const { spec, call, loaded, progress } = attempt;
  const { narrowing } = spec;
  if (progress.principal.agents === null || !narrowing) return;
  const named = agentsNamed(call.params, loaded);
  if (narrowing.kind === "object") permitAgents(progress.principal, await concernedBy(attempt));
  else if (named !== undefined || narrowing.kind === "path" || narrowing.kind === "loaded")
    permitAgents(progress.principal, named ?? null);
}

/** The same for what the body names. Only once it fits its schema: the declaration reads it. */
export async function permitBody(attempt: Attempt): Promise<void> {
  const { spec, progress } = attempt;
  if (progress.principal.agents === null || spec.narrowing?.kind !== "body") return;
  permitAgents(progress.principal, await concernedBy(attempt));
}

async function concernedBy(attempt: Attempt): Promise<Concerned> {
  const { spec, params, body, loaded } = attempt;
  const agents = spec.narrowing?.agents as unknown as (ctx: object, given: object) => Concerned | Promise<Concerned>;
  return agents(readContext(attempt), { params, body, loaded });
}

/** The agents that the path or what was loaded names by itself; undefined: it names none. */
function agentsNamed(params: Readonly<Record<string, unknown>>, loaded: unknown): Concerned | undefined {
  if (typeof params.agent === "string") return [params.agent];
  if (typeof loaded !== "object" || loaded === null) return undefined;
  const { agent, agents } = loaded as { readonly agent?: unknown; readonly agents?: unknown };
  if (typeof agent === "string") return [agent];
  if (agent === null || agents === null) return null;
  return Array.isArray(agents) ? (agents as string[]) : undefined;
}
