import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { type ConnectionTestResult, connectionTests } from "../../admin/public.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";
import { basesOf } from "../definitions/store.ts";
import type { KnownAgent, LiveVersion } from "../facts.ts";
import { type BaseFreshness, type BudgetLimit, type HealthSources, healthSources } from "../ports.ts";
import type { AgentHealth, HealthCheck } from "./schemas.ts";
import { runnableFaults } from "./view.ts";

type Looking = CallContext & { readonly db: Reader };

/** Everything that keeps an agent from working in the environment, or may. */
export async function healthOf(ctx: Looking, { agent, archived, live }: KnownAgent): Promise<AgentHealth> {
  const checks = [deploymentCheck(ctx, agent, archived, live), ...(live ? await checksOf(ctx, agent, live) : [])];
  const failed = checks.some(({ state }) => state === "failed");
  const warned = checks.some(({ state }) => state === "warning");
  const { environment } = ctx.scope;
  const state = failed ? "not_ready" : warned ? "degraded" : "ready";
  return { agent, environment, version: live?.number ?? null, ready: !failed, state, checks };
}

async function checksOf(ctx: Looking, agent: string, live: LiveVersion): Promise<HealthCheck[]> {
  const sources = ctx.port(healthSources);
  const used = usedTools(live.definition);
  const bases = [...new Set(basesOf({ tools: used, knowledge: live.definition.knowledge ?? [] }))];
  const tests = await connectionTests(ctx, connectionsOf({ ...live.definition, tools: used }));
  const freshness = await sources.knowledge(ctx, bases);
  return [
    gateCheck(sources.gate(ctx, agent, live.id), live.number),
    ...holdChecks(ctx, agent, live),
    modelCheck(live.definition, tests),
    ...toolChecks(live.definition, tests),
    ...bases.map((base) =>
      baseCheck(
        base,
        freshness.find(({ name }) => name === base),
      ),
    ),
    ...(await sources.budgets(ctx, ["environment", `agent:${agent}`])).map(budgetCheck),
  ];
}

const ok = (check: HealthCheck["check"], detail: string, subject: string | null = null): HealthCheck => ({
  check,
  subject,
  state: "ok",
  detail,
  remedy: null,
});
const flaw = (
  check: HealthCheck["check"],
  state: "warning" | "failed",
  detail: string,
  remedy: string,
  subject: string | null = null,
): HealthCheck => ({ check, subject, state, detail, remedy });

function deploymentCheck({ scope }: CallContext, agent: string, archived: boolean, live: LiveVersion | null) {
  if (archived)
    return flaw("deployment", "failed", `${agent} is archived.`, `Restore it: POST /v1/agents/${agent}/restore.`);
  if (live) return ok("deployment", `Version ${live.number} is live.`);
  const remedy = `Deploy a version: POST /v1/agents/${agent}/deployments.`;
  return flaw("deployment", "failed", `No version is live in ${scope.environment}.`, remedy);
}

type GateStanding = ReturnType<HealthSources["gate"]>;

function gateCheck({ state, consequence, reasons }: GateStanding, version: number): HealthCheck {
  const why = reasons.length > 0 ? ` ${reasons.join(" ")}` : "";
  const remedy = "Evaluate the version: POST /v1/evaluations/runs.";
  if (consequence === "go") return ok("gate", `The evaluation gate of version ${version} is ${state}.`);
  if (consequence === "refuse") return flaw("gate", "failed", `The gate is ${state}: tasks are refused.${why}`, remedy);
  const effect = consequence === "approve" ? "each task waits for approval" : "tasks run and are tagged with it";
  return flaw("gate", "warning", `The gate is ${state}: ${effect}.${why}`, remedy);
}

function holdChecks(ctx: Looking, agent: string, live: LiveVersion): HealthCheck[] {
  const of = { agent, versionId: live.id };
  const { model, skills } = live.definition;
  const name = { model: model.provider === "builtin" ? "builtin" : model.name };
  const asked = [
    ["task.dispatch", of, null] as const,
    ["task.run", of, null] as const,
    ["model.call", { ...of, ...name }, null] as const,
    ...skills.map((skill) => ["task.dispatch", { ...of, skill: skill.name }, skill.name] as const),
    ...usedTools(live.definition).map((tool) => ["tool.call", { ...of, tool: tool.name }, tool.name] as const),
  ];
  const found = new Map<string, HealthCheck>();
  for (const [action, subject, label] of asked) {
    const held = ctx.port(healthSources).hold(ctx, action, subject);
    if (!held || found.has(held.source)) continue;
    const remedy =
      held.source === "pause"
        ? `Resume it: POST /v1/agents/${agent}/resume.`
        : `Release it: DELETE /v1/governance/kill-switch/${held.source}.`;
    found.set(held.source, flaw("holds", "failed", held.detail, remedy, label));
  }
  return found.size > 0 ? [...found.values()] : [ok("holds", "No pause and no kill switch stands against it.")];
}

type Tests = ReadonlyMap<string, ConnectionTestResult>;

function modelCheck({ model }: AgentDefinition, tests: Tests): HealthCheck {
  if (model.provider === "builtin") return ok("model", "The built-in model needs no connection.");
  if (model.connection === undefined) return ok("model", `${model.name} is called without a connection.`);
  return connectionCheck("model", model.connection, tests, `${model.name} is called by ${model.connection}`);
}

function toolChecks(definition: AgentDefinition, tests: Tests): HealthCheck[] {
  const faults = runnableFaults(definition).map(({ detail }) =>
    flaw("tools", "failed", `${detail}.`, "Replace the tool in the draft, freeze and deploy it."),
  );
  const connected = usedTools(definition).flatMap((tool) =>
    "connection" in tool && tool.connection
      ? [connectionCheck("tools", tool.connection, tests, `${tool.name} uses ${tool.connection}`)]
      : [],
  );
  const all = [...faults, ...connected];
  return all.length > 0 ? all : [ok("tools", "All tools can be called, and none needs a connection.")];
}

function connectionCheck(check: "model" | "tools", name: string, tests: Tests, what: string): HealthCheck {
  const test = tests.get(name);
  const again = `Test it: POST /v1/admin/connections/${name}/test.`;
  if (!test)
    return flaw(check, "failed", `${what}, which does not exist here.`, "Add it: POST /v1/admin/connections.", name);
  if (test.at === null) return flaw(check, "warning", `${what}, which was never tested.`, again, name);
  if (test.code !== null)
    return flaw(check, "failed", `${what}, which failed its last test (${test.code}, ${test.at}).`, again, name);
  return ok(check, `${what}, which passed its last test.`, name);
}

function baseCheck(base: string, found: BaseFreshness | undefined): HealthCheck {
  const where = `/v1/knowledge/bases/${base}`;
  if (!found)
    return flaw(
      "knowledge",
      "failed",
      `There is no knowledge base ${base} here.`,
      "Create it: POST /v1/knowledge/bases.",
      base,
    );
  const { documents, failed, stale, connectors } = found;
  const flaws = [
    ...(documents === 0 ? ["it has no documents"] : []),
    ...(failed > 0 ? [`${failed} documents could not be indexed`] : []),
    ...(stale > 0 ? [`${stale} documents are past their review date`] : []),
    ...(connectors.length > 0 ? [`not synchronised: ${connectors.join(", ")}`] : []),
  ];
  if (flaws.length === 0) return ok("knowledge", `${base} has ${documents} documents, all indexed and reviewed.`, base);
  const remedy = stale > 0 ? `Review them: GET ${where}/stale.` : `See GET ${where} and its documents.`;
  return flaw("knowledge", "warning", `${base}: ${flaws.join("; ")}.`, remedy, base);
}

function budgetCheck({ scope, unit, period, state }: BudgetLimit): HealthCheck {
  const what = `The ${period === "total" ? "total" : `${period}'s`} ${unit} of the budget ${scope}`;
  const remedy = `Raise it, or wait for the next window: PUT /v1/governance/budgets/${scope}.`;
  if (state === "exhausted") return flaw("budgets", "failed", `${what} are used up: tasks are refused.`, remedy, scope);
  if (state === "warning") return flaw("budgets", "warning", `${what} are past their warning.`, remedy, scope);
  return ok("budgets", `${what} are within their limit.`, scope);
}

/** Tools that no skill uses never run. */
export function usedTools({ tools, skills }: AgentDefinition): AgentDefinition["tools"] {
  const used = new Set(skills.flatMap((skill) => skill.tools ?? []));
  return tools.filter(({ name }) => used.has(name));
}

function connectionsOf({ model, tools }: Pick<AgentDefinition, "model" | "tools">): string[] {
  const names = [model, ...tools].flatMap((part) => ("connection" in part && part.connection ? [part.connection] : []));
  return [...new Set(names)];
}
