import { Type } from "typebox";
import type { Payer } from "../../../kernel/budget.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody, overloaded } from "../../../kernel/problems.ts";
import type { SkillOutcome } from "../../../kernel/skill-runner.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { noVersion } from "../errors.ts";
import { agentFacts } from "../facts.ts";
import { previewFaults, previewView } from "../preview-model.ts";
import type { PreviewPort } from "../preview-port.ts";
import { AgentName, PREVIEW_SECONDS, Preview, PreviewBody, type PreviewCall } from "../schemas.ts";
import { type AgentRow, findAgent, seenAgent } from "../store.ts";
import { findVersionRecord } from "../version-store.ts";

type Request = Parameters<PreviewPort["run"]>[0];

export const previewAgent = withPorts(({ previews }) =>
  defineOperation({
    id: "agents.previewAgent",
    method: "POST",
    path: "/v1/agents/{agent}/preview",
    summary: "Preview a draft or a version",
    description:
      `Runs a skill of the draft, or of a version, on an input and returns what came of it, within ${PREVIEW_SECONDS} seconds. It is no task: nothing is stored, tools that write are withheld, and the evaluation gate is not asked. A draft runs without the models that were trained for a version. ` +
      "Policies and kill switches apply to each turn of the model and each tool call, and its cost counts against the budgets of agent, environment and key, in a dry run too. Where approvals are strict (staging, production), only tools of the live version are called; others answer by fixtures.",
    params: Type.Object({ agent: AgentName }),
    body: PreviewBody,
    output: Preview,
    example: {
      params: { agent: "sales" },
      body: { task: "qualify_lead", input: { lead_id: "ld_1001" } },
      output: {
        ...{ agent: "sales", version: null, task: "qualify_lead", status: "completed", failure: null },
        ...{ output: { qualified: true }, steps: 3, tokens: 812, cost_usd: 0.004, ms: 2310, findings: [] },
        calls: [
          { tool: "get_lead", arguments: { lead_id: "ld_1001" }, outcome: "read", result: { company_size: 120 } },
        ],
      },
    },
    permission: "agents:write",
    load: (ctx, { agent }) => findAgent(ctx, agent),
    gate: exempt("it may be what the gate has not judged yet; writes are withheld, and nothing acts on the result"),
    decides: exempt("stores nothing, withholds writes, and no other work reads its result"),
    compliance: governs("agent.preview", seenAgent),
    audit: ({ params }) => `agent:${params.agent}`,
    errors: [noVersion],
    async handle(ctx, { loaded, body }) {
      const { definition, versionId } = await definitionOf(ctx, loaded, body);
      const errors = previewFaults(definition, body);
      if (errors.length > 0) throw refuse(invalidBody, `${errors[0]?.pointer} ${errors[0]?.detail}`, { errors });
      const calls: PreviewCall[] = [];
      const request = {
        ...{
          scope: ctx.scope,
          versionId,
          skill: body.task,
          charged: payerOf(ctx),
          seed: body.seed ?? 0,
          input: body.input,
        },
        ...(body.version === undefined && { draft: { agent: loaded.name, definition } }),
        fixtures: { outputs: body.fixtures ?? {}, only: body.reads === "fixtures" || !mayRead(ctx, loaded.name, body) },
        heard: (call: PreviewCall) => void calls.push(call),
      };
      const outcome = await runFor(ctx, previews, request);
      return previewView({ agent: loaded.name, version: body.version ?? null, task: body.task }, outcome, calls);
    },
  }),
);

const payerOf = ({ principal }: CallContext): Payer => ({ keyId: principal.keyId, principal: principal.id });

/** Whether tools that read may be called: what was not deployed uses no credentials where people decide strictly. */
function mayRead(ctx: CallContext, agent: string, { version }: PreviewBody): boolean {
  return !decidesStrictly(ctx) || ctx.facts.get(agentFacts).find(ctx.scope, agent)?.live?.number === version;
}

async function definitionOf(ctx: WriteContext, { name, draft }: AgentRow, { version }: PreviewBody) {
  if (version === undefined) return { definition: draft, versionId: "draft" };
  const row = await findVersionRecord(ctx, name, version);
  if (!row) throw refuse(noVersion, `${name} has no version ${version}.`);
  return { definition: row.definition, versionId: row.id };
}

/** Runs it until it ends, its time is up or the caller has gone. */
async function runFor(
  ctx: WriteContext,
  previews: PreviewPort,
  request: Omit<Request, "signal">,
): Promise<SkillOutcome> {
  const late = AbortSignal.timeout(PREVIEW_SECONDS * 1000);
  const began = performance.now();
  try {
    const outcome = await previews.run({ ...request, signal: AbortSignal.any([ctx.signal, late]) });
    if (outcome) return outcome;
  } catch (error) {
    if (!late.aborted || ctx.signal.aborted) throw error;
    const detail = `It did not end within ${PREVIEW_SECONDS} seconds.`;
    const usage = { steps: 0, tokens: 0, costUsd: 0, ms: performance.now() - began };
    return { kind: "failed", failure: { code: "preview_time_limit", detail }, usage };
  }
  throw refuse(overloaded, "Too many previews are running; try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });
}
