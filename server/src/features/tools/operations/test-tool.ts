import { type BodyFault, compileUserSchema, type JsonSchema } from "@aos/json-schema";
import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody, notFound, overloaded } from "../../../kernel/problems.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { type AgentRow, findAgent, isRunnable, noVersion, skillsWith } from "../../agents/public.ts";
import { AgentName, type OwnTool, type SkillDefinition, type ToolDefinition, ToolName } from "../../agents/schemas.ts";
import { agentNotDeployed, findData, redactForTask, toolsAsMarked } from "../../tasks/public.ts";
import { exampleToolTest } from "../example.ts";
import { type TriedRequest, toolPort } from "../ports.ts";
import { TestToolBody, ToolTest } from "../schemas.ts";
import { type ShownDefinition, shownDefinition, type ToolVerdict, verdictIn } from "../verdict.ts";

interface Loaded extends AgentRow {
  /** The tool of the draft, if it has it. */
  readonly tool: ToolDefinition | undefined;
}

export const testTool = defineOperation({
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
        agent: name,
        keyId: principal.keyId,
        principal: principal.id,
        demand: { steps: 1, usd: tool?.effect === "read" ? (tool.cost_usd ?? 0) : 0 },
      }),
    },
  ),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [agentNotDeployed, noVersion],
  handle: (ctx, { loaded, params, body }) => tryTool(ctx, loaded, { ...body, tool: params.tool }),
});

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

async function tryTool(ctx: WriteContext, row: AgentRow, asked: Asked): Promise<ToolTest> {
  const begun = performance.now();
  const shown = await shownDefinition(ctx, row, asked.version);
  const args = asked.arguments ?? {};
  const [tool] = toolsAsMarked(
    ctx,
    shown.definition.tools.filter(({ name }) => name === asked.tool),
  );
  if (!tool) throw refuse(notFound, `${row.name} has no tool ${asked.tool} there.`);
  const skill = skillOf(shown, asked);
  const verdict = verdictIn(ctx, shown, { tool, skill, args });
  const whyNot = whyNotCalled(ctx, shown, tool, verdict);
  const tried: Tried = isRunnable(tool)
    ? await tryCall(ctx, shown, { tool, args, send: whyNot === null })
    : { request: null, outcome: null };
  const { redact, risk: _risk, ...said } = verdict;
  return {
    tool: tool.name,
    version: shown.version?.number ?? null,
    skill: skill?.name ?? null,
    effect: tool.effect,
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
  { permission, approval, reasons }: ToolVerdict,
): string | null {
  if (!isRunnable(tool)) return "This release does not call tools of MCP servers.";
  if (tool.effect === "write") return "It writes: the request is shown, not sent.";
  if (permission !== "allowed") return `It may not be called: ${reasons.join("; ") || "a policy could not be judged"}.`;
  if (approval.mode === "always") return `People are asked before each call: ${approval.reasons.join(" ")}`;
  if (!live && decidesStrictly(ctx))
    return `In ${ctx.scope.environment} only tools of the live version are called; try it with \`version: live\`.`;
  return null;
}

function resultOf(tried: Tried, redact: ToolVerdict["redact"]): Pick<ToolTest, "request" | "output" | "failure"> {
  if ("failure" in tried) return { request: null, failure: tried.failure };
  const { outcome } = tried;
  const request = tried.request && { ...tried.request, headers: { ...tried.request.headers } };
  if (outcome === null) return { request, failure: null };
  if ("failure" in outcome) return { request, failure: outcome.failure };
  return { request, failure: null, output: redact ? redactForTask(outcome.output, redact, {}).value : outcome.output };
}

type Arguments = Readonly<Record<string, unknown>>;
type Outcome = { readonly output: unknown } | { readonly failure: { readonly code: string; readonly detail: string } };
/** `outcome` null: it was not called. */
export type Tried = TriedRequest | { readonly request: null; readonly outcome: Outcome | null };

const closed = { type: "object", additionalProperties: false } as const;
const text = { type: "string", minLength: 1, maxLength: 1000 } as const;
const searching = {
  ...closed,
  required: ["query"],
  properties: { query: text, limit: { type: "integer", minimum: 1, maximum: 20 } },
} as const;
const oneText = { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: text } as const;

/** Makes a call as a run would, or only renders its request. Throws `invalid_body` for arguments that the service's own look-ups refuse. */
export async function tryCall(
  ctx: WriteContext,
  { agent, definition }: ShownDefinition,
  { tool, args, send }: { tool: OwnTool; args: Arguments; send: boolean },
): Promise<Tried> {
  if (tool.kind === "http") {
    const tried = await ctx.port(toolPort).attempt(ctx.scope, {
      tool,
      connection: tool.connection ?? null,
      args,
      send,
      signal: ctx.signal,
    });
    if (tried) return tried;
    throw refuse(overloaded, "Too many tools are being tried; try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  refuseFaults((tool.arguments ?? (tool.kind === "search" ? searching : oneText)) as JsonSchema, args);
  if (!send) return { request: null, outcome: null };
  return {
    request: null,
    outcome: await findData(ctx, agent.name, tool, definition, { arguments: args, shown: args }),
  };
}

function refuseFaults(schema: JsonSchema, args: Arguments): void {
  const compiled = compileUserSchema(schema);
  const faults: readonly BodyFault[] = compiled.ok ? compiled.validate(args) : compiled.faults;
  const [first] = faults;
  if (!first) return;
  const errors = faults.map((fault) => ({ ...fault, pointer: `/arguments${fault.pointer}` }));
  throw refuse(invalidBody, `/arguments${first.pointer}: ${first.detail}`, { errors });
}
