import { Type } from "typebox";
import type { CallContext, ReadContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { exampleGate } from "../../example.ts";
import { Gate } from "../../schemas.ts";
import { findGate, type GateRow } from "../store.ts";
import { gateView } from "../view.ts";

export interface LoadedGate {
  readonly agent: string;
  readonly labels: readonly string[];
  readonly gate: GateRow | undefined;
}

/** Undefined where there is no such agent. */
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
    "The gate in the environment of the key, with its pinned and the latest dataset and scorer versions, the consequence of each state, and its verdicts on the live version and the newest ones.",
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
