import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { type AgentRow, findAgent, isRunnable, noVersion, seenAgent, skillsWith } from "../../agents/public.ts";
import { AgentName, type ToolDefinition } from "../../agents/schemas.ts";
import { agentNotDeployed, toolsAsMarked } from "../../tasks/public.ts";
import { exampleTools } from "../example.ts";
import { type AgentTool, AgentTools, DefinitionOf } from "../schemas.ts";
import { findUses, presentConnections, type ToolUse } from "../store.ts";
import { type ShownDefinition, shownDefinition, strictestVerdict, verdictIn } from "../verdict.ts";

export const listTools = defineRead({
  id: "agents.listTools",
  path: "/v1/agents/{agent}/tools",
  summary: "List an agent's tools",
  description:
    "The tools of the draft, of the live version, or of another: what each may do now by policies, kill switches and pauses, whether people are asked before a call, whose credentials it uses, which skills " +
    "may call it, and when it was last used.",
  params: Type.Object({ agent: AgentName }),
  query: Type.Object({ version: Type.Optional(DefinitionOf) }, { additionalProperties: false }),
  output: AgentTools,
  example: { params: { agent: exampleTools.agent }, output: exampleTools },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentNotDeployed, noVersion],
  async handle(ctx, { loaded, query }: { loaded: AgentRow; query: { version?: string } }) {
    const shown = await shownDefinition(ctx, loaded, query.version);
    const { definition, version } = shown;
    const uses = await findUses(ctx, loaded.name);
    const present = await presentConnections(ctx);
    const tools = toolsAsMarked(ctx, definition.tools);
    return {
      agent: loaded.name,
      version: version?.number ?? null,
      tools: tools.map((tool, at) => ({
        ...viewOf(ctx, shown, tool, { use: uses.get(tool.name), present }),
        definition: definition.tools[at] as ToolDefinition,
      })),
    };
  },
});

function viewOf(
  ctx: ReadContext,
  shown: ShownDefinition,
  tool: ToolDefinition,
  { use, present }: { use: ToolUse | undefined; present: ReadonlySet<string> },
): Omit<AgentTool, "definition"> {
  const skills = skillsWith(shown.definition, tool.name);
  const of = skills.map((name) => shown.definition.skills.find((one) => one.name === name) ?? null);
  const worst = strictestVerdict(of.map((skill) => verdictIn(ctx, shown, { tool, skill })));
  const { redact: _redact, ...verdict } = worst ?? verdictIn(ctx, shown, { tool, skill: null });
  const connection = "connection" in tool ? tool.connection : undefined;
  return {
    tool: tool.name,
    effect: tool.effect,
    runnable: isRunnable(tool),
    skills,
    ...verdict,
    ...(worst ? {} : { permission: "unused" as const, reasons: [] }),
    credentials: connection === undefined ? null : { connection, present: present.has(connection) },
    last_used_at: isoTime(use?.used_at ?? null),
    last_failed_at: isoTime(use?.failed_at ?? null),
    last_failure: use?.failure ?? null,
  };
}
