import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody, notFound } from "../../../kernel/problems.ts";
import { type SlicePorts, withPorts } from "../../../kernel/slice.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { type AgentRow, findAgent, isRunnable, noVersion, skillsWith } from "../../agents/public.ts";
import { AgentName, type SkillDefinition, type ToolDefinition, ToolName } from "../../agents/schemas.ts";
import { redactForTask } from "../../runs/public.ts";
import { agentNotDeployed, toolsAsMarked } from "../../tasks/public.ts";
import { exampleToolTest } from "../example.ts";
import { TestToolBody, ToolTest } from "../schemas.ts";
import { type ShownDefinition, shownDefinition } from "../shown-definition.ts";
import { type Standing, standingIn } from "../standing.ts";
import { type Tried, tryCall } from "../try-call.ts";

interface Loaded extends AgentRow {
  /** The tool of the draft, if it has it. */
  readonly tool: ToolDefinition | undefined;
}

export const testTool = withPorts(({ policies, tools }) =>
  defineOperation({
    id: "agents.testTool",
    method: "POST",
    path: "/v1/agents/{agent}/tools/{tool}/test",
    summary: "Try a tool as the agent",
    description:
      "A tool that reads is really called, with the agent's credentials and under its policies; of one that writes, the request is shown that would be sent. Says what policies decide, and whether people " +
      "would be asked. No task is made. Where approvals are strict (staging, production), only tools of the live version are called.",
    params: Type.Object({ agent: AgentName, tool: ToolName }),
    body: TestToolBody,
    output: ToolTest,
    example: {
      params: { agent: "sales", tool: exampleToolTest.tool },
      body: { arguments: { lead_id: "ld_1001" } },
      output: exampleToolTest,
    },
    permission: "agents:write",
    load: (ctx, { agent, tool }) => loadAgent(ctx, agent, tool),
    gate: exempt("makes no task; what writes is not sent"),
    decides: exempt("stores nothing and sends no write; no agent reads its result"),
    compliance: governs(
      "agent.test",
      (_ctx, { loaded: { name, labels } }: { loaded: Loaded }) => ({ agent: { name, labels } }),
      {
        spends: ({ principal }: CallContext, { loaded: { name, tool } }) => ({
          ...{ agent: name, keyId: principal.keyId, principal: principal.id },
          demand: { steps: 1, usd: tool?.effect === "read" ? (tool.cost_usd ?? 0) : 0 },
        }),
      },
    ),
    audit: ({ params }) => `agent:${params.agent}`,
    errors: [agentNotDeployed, noVersion],
    handle: (ctx, { loaded, params, body }) =>
      tryTool({ policies, tools }, ctx, loaded, { ...body, tool: params.tool }),
  }),
);

async function loadAgent(
  ctx: Parameters<typeof findAgent>[0],
  name: string,
  tool: string,
): Promise<Loaded | undefined> {
  const row = await findAgent(ctx, name);
  return row && { ...row, tool: row.draft.tools.find((one) => one.name === tool) };
}

interface Asked extends TestToolBody {
  readonly tool: string;
}

async function tryTool(
  { policies, tools }: Pick<SlicePorts, "policies" | "tools">,
  ctx: WriteContext,
  row: AgentRow,
  asked: Asked,
): Promise<ToolTest> {
  const begun = performance.now();
  const shown = await shownDefinition(ctx, row, asked.version);
  const args = asked.arguments ?? {};
  const [tool] = toolsAsMarked(
    ctx,
    shown.definition.tools.filter(({ name }) => name === asked.tool),
  );
  if (!tool) throw refuse(notFound, `${row.name} has no tool ${asked.tool} there.`);
  const skill = skillOf(shown, asked);
  const standing = standingIn(policies, ctx, shown, { tool, skill, args });
  const whyNot = whyNotCalled(ctx, shown, tool, standing);
  const tried: Tried = isRunnable(tool)
    ? await tryCall(tools, ctx, shown, { tool, args, send: whyNot === null })
    : { request: null, outcome: null };
  const { redact, risk: _risk, ...said } = standing;
  return {
    ...{ tool: tool.name, version: shown.version?.number ?? null, skill: skill?.name ?? null, effect: tool.effect },
    ...said,
    ...resultOf(tried, redact),
    called: whyNot === null && "outcome" in tried && tried.outcome !== null,
    why_not: whyNot,
    milliseconds: Math.round(performance.now() - begun),
  };
}

function skillOf({ definition }: ShownDefinition, { skill, tool }: Asked): SkillDefinition | null {
  const able = skillsWith(definition, tool);
  if (skill !== undefined && !able.includes(skill)) {
    const detail = `is no skill that may call ${tool}; ${able.length > 0 ? `these may: ${able.join(", ")}` : "none may"}`;
    const errors: Fault[] = [{ pointer: "/skill", code: "unknown_skill", detail }];
    throw refuse(invalidBody, `/skill: ${detail}`, { errors });
  }
  const name = skill ?? able[0];
  return definition.skills.find((one) => one.name === name) ?? null;
}

/** Why a call is not made; null: it is. */
function whyNotCalled(
  ctx: WriteContext,
  { live }: ShownDefinition,
  tool: ToolDefinition,
  { permission, approval, reasons }: Standing,
): string | null {
  if (!isRunnable(tool)) return "This release does not call tools of MCP servers.";
  if (tool.effect === "write") return "It writes: the request is shown, not sent.";
  if (permission !== "allowed") return `It may not be called: ${reasons.join("; ") || "a policy could not be judged"}.`;
  if (approval.mode === "always") return `People are asked before each call: ${approval.reasons.join(" ")}`;
  if (!live && decidesStrictly(ctx))
    return `In ${ctx.scope.environment} only tools of the live version are called; try it with \`version: live\`.`;
  return null;
}

function resultOf(tried: Tried, redact: Standing["redact"]): Pick<ToolTest, "request" | "output" | "failure"> {
  if ("failure" in tried) return { request: null, failure: tried.failure };
  const { outcome } = tried;
  const request = tried.request && { ...tried.request, headers: { ...tried.request.headers } };
  if (outcome === null) return { request, failure: null };
  if ("failure" in outcome) return { request, failure: outcome.failure };
  return { request, failure: null, output: redact ? redactForTask(outcome.output, redact, {}).value : outcome.output };
}
