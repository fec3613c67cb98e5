import { nearestName } from "@aos/text";
import {
  type KnownCalls,
  type Plan,
  planOf,
  type Schema,
  type WorkflowDefinition,
  withSkillOutputs,
} from "@aos/workflow";
import { all, rowsOf, select } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { agentsSeen, findKnownAgent, type LiveVersion } from "../../agents/public.ts";

export type CallsContext = Pick<CallContext, "facts" | "scope" | "principal"> & { readonly db: Statements };

/** What a definition may call in the call's environment: agents deployed there and workflows live there. */
export async function knownCalls(ctx: CallsContext, definition: WorkflowDefinition): Promise<KnownCalls> {
  const workflows = await workflowsNamed(ctx, definition);
  return {
    skill: (agent, name) => inAgent(ctx, agent, ({ skills }) => skillOf(agent, skills, name)),
    tool: (agent, name) => inAgent(ctx, agent, (version) => toolOf(agent, version, name)),
    workflow: (name, version) => workflows.get(keyOf(name, version)) ?? noWorkflow(ctx, name, version),
  };
}

/** A plan with the outputs of its agents by the versions deployed now. The caller's access to agents does not matter: nothing of them is shown. */
export const withLiveOutputs = (ctx: Pick<CallContext, "facts" | "scope">, plan: Plan): Plan =>
  withSkillOutputs(
    plan,
    (agent, skill) => findKnownAgent(ctx, agent)?.live?.skills.get(skill)?.definition.output as Schema | undefined,
  );

function inAgent<T>(
  { facts, scope, principal }: CallsContext,
  name: string,
  find: (version: LiveVersion) => T,
): T | string {
  const seen = agentsSeen({ facts, scope, principal });
  const agent = seen.includes(name) ? findKnownAgent({ facts, scope }, name) : undefined;
  if (!agent || agent.archived) return `There is no agent ${name}.${meant(name, seen)}`;
  if (!agent.live)
    return `${name} is not deployed in ${scope.environment}. Deploy a version of it (POST /v1/agents/${name}/deploy).`;
  return find(agent.live);
}

function skillOf(agent: string, skills: LiveVersion["skills"], name: string) {
  const skill = skills.get(name);
  if (!skill) return `${agent} has no skill ${name}.${meant(name, [...skills.keys()])}`;
  const { input, output } = skill.definition;
  return { input: input as Schema, ...(output && { output: output as Schema }) };
}

function toolOf(agent: string, { definition: { tools } }: LiveVersion, name: string) {
  const tool = tools.find((one) => one.name === name);
  if (!tool)
    return `${agent} has no tool ${name}.${meant(
      name,
      tools.map((one) => one.name),
    )}`;
  const given = "arguments" in tool ? (tool.arguments as Schema | undefined) : undefined;
  return { effect: tool.effect, ...(given && { arguments: given }) };
}

function meant(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== null) return ` Did you mean ${nearest}?`;
  return known.length === 0 || known.length > 20 ? "" : ` There is ${known.join(", ")}.`;
}

const keyOf = (name: string, version: number | null): string => `${name} ${version ?? "live"}`;

const noWorkflow = ({ scope }: CallsContext, name: string, version: number | null): string =>
  version === null
    ? `There is no workflow ${name} that is live in ${scope.environment}. Publish it first, or name a version.`
    : `There is no version ${version} of a workflow ${name}.`;

async function workflowsNamed(
  ctx: CallsContext,
  definition: WorkflowDefinition,
): Promise<Map<string, { input?: Schema }>> {
  const named = planOf(definition).steps.flatMap(({ step }) => (step.workflow ? [step.workflow] : []));
  const known = new Map<string, { input?: Schema }>();
  if (named.length === 0) return known;
  const query = select(ctx, "workflow_versions", "v")
    .innerJoin(rowsOf(ctx, "workflows", "w"), "w.name", "v.workflow")
    .leftJoin(rowsOf(ctx, "workflow_releases", "r"), (join) =>
      join
        .onRef("r.workflow", "=", "v.workflow")
        .onRef("r.version_number", "=", "v.number")
        .on("r.ended_at", "is", null),
    )
    .select(["v.workflow", "v.number", "v.definition", "r.id as release"])
    .where("v.workflow", "in", [...new Set(named.map(({ name }) => name))])
    .where("w.archived_at", "is", null)
    .where((or) =>
      or.or([or("r.id", "is not", null), or("v.number", "in", [0, ...named.flatMap(({ version }) => version ?? [])])]),
    );
  for (const { workflow, number, definition: frozen, release } of await all(ctx, query)) {
    const { input } = frozen as unknown as WorkflowDefinition;
    const called = { ...(input && { input: input as Schema }) };
    known.set(keyOf(workflow, number), called);
    if (release !== null) known.set(keyOf(workflow, null), called);
  }
  return known;
}
