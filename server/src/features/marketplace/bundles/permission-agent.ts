import { type DataClass, maximumClass } from "@aos/data-classes";
import { ownAddresses } from "../../../kernel/provider-addresses.ts";
import type { AgentBundle } from "../../agents/public.ts";
import type { ModelDefinition, SkillDefinition, ToolDefinition } from "../../agents/schemas.ts";
import type { ListingPermission } from "../schema-words.ts";
import type { BundleContents } from "./contents.ts";
import {
  grouped,
  type Level,
  listed,
  originOf,
  plain,
  type Reaching,
  reachOfTool,
  said,
  sortedNames,
  toolPermission,
} from "./permission-tools.ts";

/** Where an agent sends data. */
export function reachOfAgent({ model, tools }: AgentBundle): Reaching[] {
  const byTools = tools.map(reachOfTool).filter((one) => one !== undefined);
  return model.provider === "builtin" ? byTools : [reachOfModel(model), ...byTools];
}

function reachOfModel({ provider, connection, settings }: Exclude<ModelDefinition, { provider: "builtin" }>): Reaching {
  const address = settings?.base_url ?? ownAddresses[provider];
  const level: Level = "high";
  return { name: "the model", address: address ? originOf(address) : null, connection: connection ?? null, level };
}

/** Without where it sends data. */
export function agentPermissions(agent: AgentBundle, bases: BundleContents["bases"]): ListingPermission[] {
  const { model, tools, skills, labels = [] } = agent;
  const callers = (tool: ToolDefinition) =>
    sortedNames(skills.filter((skill) => skill.tools?.includes(tool.name)).map(({ name }) => name));
  return [
    ...tools.map((tool) => toolPermission(tool, callers(tool))),
    modelPermission(model),
    ...dataPermissions(skills.map((skill) => ({ name: skill.name, data: dataOf(skill, tools) }))),
    ...knowledgePermissions([...(agent.knowledge ?? []), ...tools.flatMap(basesOf)], bases),
    ...skills.map((skill) => budgetPermission(skill, agent)),
    ...labels.map(labelPermission),
  ];
}

/** The installer's policies may apply to a label, or spare it. */
const labelPermission = (label: string): ListingPermission => ({
  id: `policy:label/${label}`,
  kind: "policy",
  level: "low",
  text: `Carries the label ${plain(label)}, by which your policies may tell it from others.`,
  value: { label },
});

function modelPermission(model: ModelDefinition): ListingPermission {
  if (model.provider === "builtin")
    return {
      id: "model:builtin",
      kind: "model",
      level: "low",
      text: "Runs on the built-in model: nothing leaves this installation.",
      value: { provider: "builtin" },
    };
  const { provider, name, settings } = model;
  const price = settings?.price;
  const counted = price
    ? ` Its cost is counted by prices that it states itself: ${price.input} US dollars for a million tokens in, ${price.output} for those out.`
    : "";
  return {
    id: `model:${provider}/${plain(name)}`,
    kind: "model",
    level: "elevated",
    text: `Runs on the model ${plain(name)} of ${provider}: what it reads is sent there.${counted}`,
    value: said({ provider, name, price }),
  };
}

/** The most protected class of data of a skill and its tools. */
function dataOf(skill: SkillDefinition, tools: readonly ToolDefinition[]): DataClass {
  const used = tools.filter(({ name }) => skill.tools?.includes(name));
  return maximumClass([skill, ...used].map(({ impact }) => impact?.data ?? "public"));
}

const dataLevels: Readonly<Record<DataClass, Level>> = {
  public: "low",
  internal: "low",
  confidential: "elevated",
  personal: "elevated",
  restricted: "high",
};

/** One entry for each class above public, with the skills or tools whose highest it is. */
export function dataPermissions(users: readonly { name: string; data: DataClass }[]): ListingPermission[] {
  const beyondPublic = users.filter(({ data }) => data !== "public");
  return grouped(beyondPublic, ({ data }) => [data]).map(([data, some]) => {
    const names = sortedNames(some.map(({ name }) => name));
    return {
      id: `data:${data}`,
      kind: "data",
      level: dataLevels[data as DataClass],
      text: `Works with ${data} data (${listed(names)}).`,
      value: { data, for: names },
    };
  });
}

/** Bases that a tool reads. */
export const basesOf = (tool: ToolDefinition): string[] => {
  if (tool.kind === "record") return [tool.base];
  return tool.kind === "search" ? (tool.bases ?? []) : [];
};

/** Bases that are used or brought. */
export function knowledgePermissions(used: readonly string[], brought: BundleContents["bases"]): ListingPermission[] {
  const names = sortedNames([...used, ...brought.map(({ name }) => name)]);
  return names.map((base) => {
    const documents = brought.find(({ name }) => name === base)?.documents.length ?? null;
    const text =
      documents === null
        ? `Reads your knowledge base ${plain(base)}.`
        : `Brings the knowledge base ${plain(base)} with ${documents} ${documents === 1 ? "document" : "documents"}.`;
    const level = documents === null ? "elevated" : "low";
    return { id: `knowledge:${base}`, kind: "knowledge", level, text, value: { base, documents } };
  });
}

function budgetPermission(skill: SkillDefinition, { model, tools }: AgentBundle): ListingPermission {
  const { cost_usd = null, seconds = null } = skill.limits ?? {};
  const paidTool = tools.some((tool) => (tool.cost_usd ?? 0) > 0 && skill.tools?.includes(tool.name));
  const paid = model.provider !== "builtin" || paidTool;
  const time = seconds === null ? "take any time" : `take up to ${seconds} seconds`;
  return {
    id: `budget:${skill.name}`,
    kind: "budget",
    level: costLevel(cost_usd, paid),
    text: `A task of ${skill.name} may ${costWords(cost_usd, paid)} and ${time}.`,
    value: { skill: skill.name, cost_usd, seconds },
  };
}

const littleUsd = 0.1;
const muchUsd = 1;

/** Null: unlimited. */
export function costLevel(usd: number | null, paid = true): Level {
  if (usd === null) return paid ? "high" : "low";
  if (usd > muchUsd) return "high";
  return usd > littleUsd ? "elevated" : "low";
}

/** `cost up to 0.01 US dollars`. */
export function costWords(usd: number | null, paid = true): string {
  if (usd !== null) return `cost up to ${usd} US dollars`;
  return paid ? "cost any amount" : "cost nothing of itself";
}
