import { Type } from "typebox";
import type { Fault } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { settingsOf } from "../../../admin/public.ts";
import { exampleBundle, exampleDiff } from "../../example.ts";
import { AgentBundle, AgentName, DraftComparison } from "../../schemas.ts";
import { diffDefinitions } from "../bundle/index.ts";
import { readAgentFile, yamlType } from "../file.ts";
import { definitionWarnings } from "../references.ts";
import { definitionFaults, lazily, markSound } from "../rules.ts";
import { joinBundle, splitBundle } from "../schemas.ts";
import { findAgent, seenAgent } from "../store.ts";

const bodySchema = lazily(AgentBundle);

export const compareDraft = defineOperation({
  id: "agents.compareDraft",
  method: "POST",
  path: "/v1/agents/{agent}/compare",
  summary: "Compare the draft with a definition",
  description:
    "How the draft would change if the body replaced it, as JSON or as the agent's file; `aos agents diff` shows this. Validates the body like a change and changes nothing. `warnings` name what the environment of the key lacks.",
  params: Type.Object({ agent: AgentName }),
  body: AgentBundle,
  reads: { [yamlType]: async (bytes) => markSound(await readAgentFile(bytes)) },
  output: DraftComparison,
  example: { params: { agent: "sales" }, body: exampleBundle, output: { ...exampleDiff, warnings: [] } },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("reads, makes no agent act"),
  decides: exempt("compares and stores nothing"),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  async validate(_ctx, { body, loaded }): Promise<readonly Fault[]> {
    const faults = await definitionFaults(body, body, bodySchema);
    if (body.agent === undefined || body.agent === loaded.name) return faults;
    return [
      ...faults,
      { pointer: "/agent", code: "another_agent", detail: `names another agent than the address, ${loaded.name}` },
    ];
  },
  async handle(ctx, { body, loaded: { name, labels, draft } }) {
    const sent = { ...body, tools: body.tools ?? [], skills: body.skills ?? [] };
    const warnings = await definitionWarnings(ctx, splitBundle(sent).definition, settingsOf(ctx).tools.reads);
    return { ...diffDefinitions(joinBundle(name, labels, draft), sent), warnings };
  },
});
