import type { WriteContext } from "../../../kernel/context.ts";
import {
  type AgentDefinition,
  authorsOfVersion,
  findAgent,
  findVersionRecord,
  joinBundle,
  writeBundle,
} from "../../agents/public.ts";
import { findPortablePolicy } from "../../governance/public.ts";
import type { PolicyBody } from "../../governance/schemas.ts";
import { readPortableBase } from "../../knowledge/public.ts";
import { findWorkflowVersion, workflowDeciders, workflowFile } from "../../workflows/public.ts";
import type { ListingSource } from "../listings/schemas.ts";
import { packEvaluation, packTraining, scorecardOf } from "./packing-data.ts";
import { fileNameOf, findAll, jsonFile, oneInvalid, type Packed, type SaidOfData } from "./packing-words.ts";

type Source<Kind extends ListingSource["kind"]> = Extract<ListingSource, { kind: Kind }>;

const mostDocuments = 1000;

async function findVersion(ctx: WriteContext, { agent: name, version }: { agent: string; version: number }) {
  const agent = await findAgent(ctx, name);
  if (!agent) throw oneInvalid("/source/agent", "unknown_agent", `names no agent; there is no ${name}`);
  const found = await findVersionRecord(ctx, name, version);
  if (found) {
    const deciders = await authorsOfVersion(ctx, name, version);
    return { agent, version: found, definition: found.definition, deciders };
  }
  const remedy = `GET /v1/agents/${name}/versions lists its versions`;
  throw oneInvalid("/source/version", "unknown_version", `names no version of ${name}; ${remedy}`);
}

function connectionsOf({ model, tools }: Pick<AgentDefinition, "tools"> & Partial<AgentDefinition>): string[] {
  const named = [model, ...tools].flatMap((part) => (part && "connection" in part ? (part.connection ?? []) : []));
  return [...new Set(named)].sort();
}

/** With its scorecard if the version was measured. */
export async function packAgent(ctx: WriteContext, source: Source<"agent">, said: SaidOfData): Promise<Packed> {
  const { agent, version, definition, deciders } = await findVersion(ctx, source);
  const evaluation = await packEvaluation(ctx, agent.name, source.datasets, said);
  const training = await packTraining(ctx, agent.name, source.training ?? []);
  const files: [string, Uint8Array][] = [
    ["agent.yaml", Buffer.from(writeBundle(joinBundle(agent.name, agent.labels, definition)))],
    ...evaluation.files,
    ...training,
    ...(await packBases(ctx, source.knowledge ?? [])),
    ...(await policyFiles(ctx, source.policies ?? [], agent.name)),
  ];
  const scorecard = await scorecardOf(ctx, { version, evaluation, training, said });
  if (scorecard) files.push(["scorecard.json", jsonFile(scorecard)]);
  return { files: new Map(files), connections: connectionsOf(definition), deciders };
}

export async function packTools(ctx: WriteContext, source: Source<"tool_set">): Promise<Packed> {
  const { definition, deciders } = await findVersion(ctx, source);
  const { tools: names } = source;
  if (definition.tools.length === 0)
    throw oneInvalid("/source/version", "no_tools", "has no tools; name another version");
  const find = async (name: string) => definition.tools.find((tool) => tool.name === name);
  const tools = names
    ? await findAll(names, "/source/tools", find, { code: "unknown_tool", detail: "names no tool of this version" })
    : definition.tools;
  return { files: new Map([["tools.json", jsonFile(tools)]]), connections: connectionsOf({ tools }), deciders };
}

export async function packWorkflow(ctx: WriteContext, { workflow, version }: Source<"workflow">): Promise<Packed> {
  const found = await findWorkflowVersion(ctx, workflow, version);
  if (!found) {
    const detail = `names no published version of ${workflow}; GET /v1/workflows/${workflow}/versions lists them`;
    throw oneInvalid("/source/version", "unknown_version", detail);
  }
  return {
    files: new Map([["workflow.yaml", Buffer.from(workflowFile(found.definition, undefined))]]),
    connections: [],
    deciders: await workflowDeciders(ctx, found),
  };
}

export async function packPolicies(ctx: WriteContext, { policies }: Source<"policy_pack">): Promise<Packed> {
  return { files: new Map(await policyFiles(ctx, policies, null)), connections: [], deciders: [] };
}

const unknownPolicy = { code: "unknown_policy", detail: "names no policy of this environment that is in use" };

/** `policies/<name>.json`. With `agent`, each is scoped to it. */
async function policyFiles(
  ctx: WriteContext,
  ids: readonly string[],
  agent: string | null,
): Promise<[string, Uint8Array][]> {
  const policies = await findAll(ids, "/source/policies", (id) => findPortablePolicy(ctx, id), unknownPolicy);
  const taken = new Set<string>();
  return policies.map((policy): [string, Uint8Array] => {
    const scoped: PolicyBody = agent === null ? policy : { ...policy, scope: { ...policy.scope, agents: [agent] } };
    return [`policies/${fileNameOf(policy.name, taken)}.json`, jsonFile(scoped)];
  });
}

/** `knowledge/<base>.json`: the documents that everybody who sees the base may read. */
async function packBases(ctx: WriteContext, names: readonly string[]): Promise<[string, Uint8Array][]> {
  const find = (name: string) => readPortableBase(ctx, name, mostDocuments);
  const unknownBase = { code: "unknown_base", detail: "names no knowledge base of this environment that you may read" };
  const bases = await findAll(names, "/source/knowledge", find, unknownBase);
  return bases.map((base, at) => {
    const count = base.documents.length;
    const pointer = `/source/knowledge/${at}`;
    if (count === 0)
      throw oneInvalid(pointer, "no_documents", `has no document that everybody may read; leave ${base.name} out`);
    if (count <= mostDocuments) return [`knowledge/${base.name}.json`, jsonFile(base)];
    const detail = `has more than ${mostDocuments} documents; leave ${base.name} out, and let installers bring their own`;
    throw oneInvalid(pointer, "too_many_documents", detail);
  });
}
