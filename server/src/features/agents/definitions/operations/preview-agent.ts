import { compileUserSchema } from "@aos/json-schema";
import { nearestName } from "@aos/text";
import { Type } from "typebox";
import type { Payer } from "../../../../kernel/budget.ts";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody, overloaded } from "../../../../kernel/problems.ts";
import type { SkillOutcome } from "../../../../kernel/skill-runner.ts";
import { decidesStrictly } from "../../../admin/public.ts";
import { noVersion } from "../../errors.ts";
import { agentFacts } from "../../facts.ts";
import { type PreviewPort, previewPort } from "../../ports.ts";
import { AgentName } from "../../schemas.ts";
import { findVersionRecord } from "../../versions/store.ts";
import { PREVIEW_SECONDS, Preview, PreviewBody, type PreviewCall, type PreviewFinding } from "../preview-schemas.ts";
import type { AgentDefinition } from "../schemas.ts";
import { type AgentRow, findAgent, seenAgent } from "../store.ts";

const examplePreview: Preview = {
  agent: "sales",
  version: null,
  task: "qualify_lead",
  status: "completed",
  failure: null,
  output: { qualified: true },
  steps: 3,
  tokens: 812,
  cost_usd: 0.004,
  ms: 2310,
  findings: [],
  calls: [{ tool: "get_lead", arguments: { lead_id: "ld_1001" }, outcome: "read", result: { company_size: 120 } }],
};

export const previewAgent = defineOperation({
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
    output: examplePreview,
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
      scope: ctx.scope,
      versionId,
      skill: body.task,
      charged: payerOf(ctx),
      seed: body.seed ?? 0,
      input: body.input,
      ...(body.version === undefined && { draft: { agent: loaded.name, definition } }),
      fixtures: { outputs: body.fixtures ?? {}, only: body.reads === "fixtures" || !mayRead(ctx, loaded.name, body) },
      heard: (call: PreviewCall) => void calls.push(call),
    };
    const outcome = await runFor(ctx, request);
    return previewView({ agent: loaded.name, version: body.version ?? null, task: body.task }, outcome, calls);
  },
});

const payerOf = ({ principal }: CallContext): Payer => ({ keyId: principal.keyId, principal: principal.id });

/** Whether reading tools may be called: where decisions are strict, what was not deployed uses no credentials. */
function mayRead(ctx: CallContext, agent: string, { version }: PreviewBody): boolean {
  return !decidesStrictly(ctx) || ctx.facts.get(agentFacts).find(ctx.scope, agent)?.live?.number === version;
}

async function definitionOf(ctx: WriteContext, { name, draft }: AgentRow, { version }: PreviewBody) {
  if (version === undefined) return { definition: draft, versionId: "draft" };
  const row = await findVersionRecord(ctx, name, version);
  if (!row) throw refuse(noVersion, `${name} has no version ${version}.`);
  return { definition: row.definition, versionId: row.id };
}

async function runFor(ctx: WriteContext, request: Omit<Request, "signal">): Promise<SkillOutcome> {
  const late = AbortSignal.timeout(PREVIEW_SECONDS * 1000);
  const began = performance.now();
  try {
    const outcome = await ctx.port(previewPort).run({ ...request, signal: AbortSignal.any([ctx.signal, late]) });
    if (outcome) return outcome;
  } catch (error) {
    if (!late.aborted || ctx.signal.aborted) throw error;
    const detail = `It did not end within ${PREVIEW_SECONDS} seconds.`;
    const usage = { steps: 0, tokens: 0, costUsd: 0, ms: performance.now() - began };
    return { kind: "failed", failure: { code: "preview_time_limit", detail }, usage };
  }
  throw refuse(overloaded, "Too many ctx.port(previewPort) are running; try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });
}

function previewFaults({ skills, tools }: AgentDefinition, body: PreviewBody): Fault[] {
  const skill = skills.find(({ name }) => name === body.task);
  const fixtures = Object.keys(body.fixtures ?? {}).flatMap(
    (name): Fault[] =>
      tools.some((tool) => tool.name === name)
        ? []
        : [
            unknown(
              `/fixtures/${name}`,
              "tool",
              name,
              tools.map((tool) => tool.name),
            ),
          ], // names are words: nothing to escape
  );
  if (!skill)
    return [
      unknown(
        "/task",
        "skill",
        body.task,
        skills.map(({ name }) => name),
      ),
      ...fixtures,
    ];
  const compiled = compileUserSchema(skill.input);
  if (!compiled.ok) return fixtures;
  return [...compiled.validate(body.input).map((one) => ({ ...one, pointer: `/input${one.pointer}` })), ...fixtures];
}

function unknown(pointer: string, what: string, name: string, known: readonly string[]): Fault {
  const close = nearestName(name, known);
  const hint = close ? `did you mean ${close}?` : `it has ${known.join(", ") || "none"}`;
  return { pointer, code: `unknown_${what}`, detail: `names no ${what} of the definition: ${name}; ${hint}` };
}

function previewView(
  of: Pick<Preview, "agent" | "version" | "task">,
  outcome: SkillOutcome,
  calls: readonly PreviewCall[],
): Preview {
  const { steps, tokens, costUsd, ms } = outcome.usage;
  const done = outcome.kind === "completed";
  return {
    ...of,
    status: outcome.kind,
    output: done ? { ...outcome.output } : null,
    failure: done ? null : outcome.failure,
    calls: [...calls],
    steps,
    tokens,
    cost_usd: Math.round(costUsd * 1e6) / 1e6,
    ms: Math.round(ms),
    findings: findingsOf(outcome, calls),
  };
}

function findingsOf(outcome: SkillOutcome, calls: readonly PreviewCall[]): PreviewFinding[] {
  const named = (which: PreviewCall["outcome"]): string[] => [
    ...new Set(calls.flatMap(({ tool, outcome: was }) => (was === which ? [tool] : []))),
  ];
  const about = (which: PreviewCall["outcome"], severity: PreviewFinding["severity"], words: string) => {
    const tools = named(which);
    return tools.length === 0 ? [] : [{ severity, code: `calls_${which}`, detail: `${words}: ${tools.join(", ")}.` }];
  };
  return [
    ...(outcome.kind === "failed" ? [{ severity: "error" as const, ...outcome.failure }] : evidenceOf(outcome)),
    ...about("refused", "warning", "Policies, budgets or kill switches refused calls of"),
    ...about("failed", "warning", "Calls failed of"),
    ...about("withheld", "info", "Not called, and the model knows that"),
  ];
}

/** What the model says of its own answer. */
function evidenceOf({ features }: Extract<SkillOutcome, { kind: "completed" }>): PreviewFinding[] {
  const { ungrounded } = features;
  if (typeof ungrounded !== "number" || ungrounded <= 0) return [];
  const detail = `${Math.round(ungrounded * 100)} % of the answer is not supported by what was looked up.`;
  return [{ severity: "warning", code: "ungrounded", detail }];
}

type Request = Parameters<PreviewPort["run"]>[0];
