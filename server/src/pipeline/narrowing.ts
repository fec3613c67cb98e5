import { beyond, type Concerned, permitAgents } from "../kernel/narrowing.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import type { Principal } from "../kernel/principal.ts";
import { PipelineReadContext } from "./context.ts";
import type { Loaded, Validated } from "./stages.ts";

// Keys that are narrowed to agents, as each operation declares it. Part of permissions: repetitions and dry runs pass it like any call.

/** Refuses at once what no narrowed key may do, before anything is looked up. */
export function refuseWhole({ agents }: Principal, { narrowing }: SealedSpec): void {
  if (agents !== null && narrowing?.kind === "whole") throw beyond(agents, `this call ${narrowing.text}`);
}

/**
 * Holds a key that is narrowed to agents to the objects of the path: those that name their agents, and those of which the operation knows them. Where neither
 * is so and the operation does not say how else it is held, the call is refused.
 */
export async function permitObjects(call: Loaded): Promise<void> {
  const { spec, params, loaded, principal } = call;
  const { narrowing } = spec;
  if (!narrowing) return;
  const named = agentsNamed(params, loaded);
  if (narrowing.kind === "object") permitAgents(principal, await concernedBy(call));
  else if (named !== undefined || narrowing.kind === "path" || narrowing.kind === "loaded")
    permitAgents(principal, named ?? null);
}

/** The same for what the body names. Only once it fits its schema: the declaration reads it. */
export async function permitBody(call: Validated): Promise<void> {
  if (call.spec.narrowing?.kind === "body") permitAgents(call.principal, await concernedBy(call, call.input.body));
}

async function concernedBy(call: Loaded, body?: unknown): Promise<Concerned> {
  const { spec, params, loaded } = call;
  const agents = spec.narrowing?.agents as unknown as (ctx: object, given: object) => Concerned | Promise<Concerned>;
  return agents(new PipelineReadContext(call), { params, body, loaded });
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
