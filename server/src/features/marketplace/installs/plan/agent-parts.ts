import { MOST_DOCUMENTS } from "../../../knowledge/schemas.ts";
import type { BundleContents } from "../../bundles/contents.ts";
import { type NewPart, type PlanOptions, pagesOf } from "./calls.ts";

type Json = Readonly<Record<string, unknown>>;

export function baseParts({ bases }: BundleContents, { suffix }: PlanOptions): NewPart[] {
  return bases.flatMap(({ name: own, description, language, file, documents }) => {
    const name = own + suffix;
    const body = { name, description, ...(language !== undefined && { language }) };
    const base: NewPart = {
      kind: "knowledge_base",
      name,
      file,
      calls: [{ operation: "knowledge.createBase", body }],
    };
    const calls = pagesOf(documents, MOST_DOCUMENTS).map((page) => ({
      operation: "knowledge.addDocuments" as const,
      params: { base: name },
      body: { documents: page },
    }));
    const needs = [`knowledge_base:${name}`];
    return documents.length === 0 ? [base] : [base, { kind: "documents", name, file, needs, calls }];
  });
}

export function agentParts(contents: BundleContents, { suffix }: PlanOptions): NewPart[] {
  if (!contents.agent) return [];
  const { title, version } = contents.manifest;
  const body = withSuffix(contents, suffix);
  const name = body.agent as string;
  const file = "agent.yaml";
  const note = `${title} ${version}, as installed.`;
  const freeze = { operation: "agents.freezeVersion", params: { agent: name }, body: { note } } as const;
  return [
    {
      kind: "agent",
      name,
      file,
      needs: contents.bases.map((base) => `knowledge_base:${base.name}${suffix}`),
      calls: [{ operation: "agents.createAgent", body }],
    },
    { kind: "agent_version", name, file, needs: [`agent:${name}`], calls: [freeze] },
  ];
}

/** The suffix goes behind the agent's name and the bases that the bundle brings. */
function withSuffix({ agent, bases }: BundleContents, suffix: string): Json {
  const brought = new Set(bases.map(({ name }) => name));
  const here = (base: unknown): unknown => (brought.has(base as string) ? `${base}${suffix}` : base);
  const { knowledge, tools, ...rest } = agent as Json & { knowledge?: unknown[]; tools?: Json[] };
  return {
    ...rest,
    agent: `${rest.agent}${suffix}`,
    ...(knowledge && { knowledge: knowledge.map(here) }),
    ...(tools && {
      tools: tools.map((tool) => ({
        ...tool,
        ...(tool.base !== undefined && { base: here(tool.base) }),
        ...(Array.isArray(tool.bases) && { bases: tool.bases.map(here) }),
      })),
    }),
  };
}

/** Bound into the draft of an existing agent; no skill may call them until somebody allows it. */
export function toolParts({ tools, manifest: { kind } }: BundleContents, agent: string): NewPart[] {
  if (kind !== "tool_set") return [];
  return tools.map((definition) => {
    const { name } = definition;
    const calls = [
      { operation: "agents.bindTool", params: { agent, tool: name }, body: { definition }, ifMatch: "*" },
    ] as const;
    return { kind: "tool", name, file: "tools.json", calls };
  });
}

/** Drafts. Those that come with an agent are scoped to it. */
export function policyParts({ policies, agent }: BundleContents, { suffix }: PlanOptions): NewPart[] {
  const installed = agent && `${agent.agent}${suffix}`;
  return policies.map(({ file, name: own, policy }) => {
    const name = own + suffix;
    const { scope, ...rest } = policy as Json & { scope?: Json };
    const scoped = installed ? { ...scope, agents: [installed] } : scope;
    const body = { ...rest, name, state: "draft", ...(scoped && { scope: scoped }) };
    const needs = installed ? [`agent:${installed}`] : [];
    return { kind: "policy", name, file, needs, calls: [{ operation: "governance.createPolicy", body }] };
  });
}

/** A draft. */
export function workflowParts({ workflow, agent }: BundleContents, { suffix }: PlanOptions): NewPart[] {
  if (!workflow) return [];
  const name = `${workflow.workflow}${suffix}`;
  const own = agent?.agent;
  const renamed = own === undefined ? workflow : (renameAgent(workflow, own as string, `${own}${suffix}`) as Json);
  const needs = own === undefined ? [] : [`agent:${own}${suffix}`];
  const body = { ...renamed, workflow: name };
  return [
    {
      kind: "workflow",
      name,
      file: "workflow.yaml",
      needs,
      calls: [{ operation: "workflows.createWorkflow", body }],
    },
  ];
}

/** Where steps name it: `agent: { name }` of tasks and `tool: { agent }` of calls. */
function renameAgent(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((one) => renameAgent(one, from, to));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (key === "agent" && isNamed(inner, from)) return [key, { ...inner, name: to }];
    if (key === "tool" && typeof inner === "object" && (inner as Json | null)?.agent === from)
      return [key, { ...inner, agent: to }];
    return [key, renameAgent(inner, from, to)];
  });
  return Object.fromEntries(entries);
}

const isNamed = (value: unknown, name: string): value is Json =>
  typeof value === "object" && (value as Json | null)?.name === name;
