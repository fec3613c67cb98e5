import { Type } from "typebox";
import type { CallContext, ReadContext } from "../../../kernel/context.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { AgentName } from "../../agents/schemas.ts";
import { exampleGate } from "../example.ts";
import { findGate, type GateRow } from "../gate-store.ts";
import { gateView } from "../gate-view.ts";
import { Gate } from "../schemas.ts";

/** An agent and its gate in the call's environment. */
export interface LoadedGate {
  readonly agent: string;
  readonly labels: readonly string[];
  readonly gate: GateRow | undefined;
}

/** The agent of a path with its gate; undefined where there is no such agent. */
export async function loadGate(ctx: ReadContext, { agent: name }: { agent: string }): Promise<LoadedGate | undefined> {
  const known = findKnownAgent(ctx, name);
  return known && { agent: known.agent, labels: known.labels, gate: await findGate(ctx, known.agent) };
}

export const readGate = defineRead({
  id: "evaluations.readGate",
  path: "/v1/evaluations/gates/{agent}",
  listed: true,
  summary: "Read an agent's gate and its verdicts",
  description:
    "The gate in the environment of the key with the dataset and scorer versions that it pins beside the latest ones, what follows from each of its states, and what it says of the live version and the newest ones.",
  params: Type.Object({ agent: AgentName }),
  output: Gate,
  example: { params: { agent: "sales" }, output: exampleGate },
  revision: ({ revision }) => revision,
  permission: "evaluations:read",
  load: loadGate,
  compliance: governs("gate.read", (_ctx: CallContext, { loaded }: { loaded: LoadedGate }) => ({
    agent: { name: loaded.agent, labels: loaded.labels },
  })),
  audit: ({ params }) => `gate:${params.agent}`,
  handle: (ctx, { loaded }) => gateView(ctx, loaded.agent, loaded.gate),
});
