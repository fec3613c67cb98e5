import type { BundleFiles } from "@aos/bundle";
import { Type } from "typebox";
import type { Fault } from "../../../kernel/errors.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { type AgentBundle, freezeFaults, parseFile, valueFaults } from "../../agents/public.ts";
import { PolicyBody } from "../../governance/schemas.ts";
import { readDocumentItems } from "../../knowledge/public.ts";
import { CreateBaseBody } from "../../knowledge/schemas.ts";
import { definitionFromSource } from "../../workflows/public.ts";
import {
  checks,
  fileRefused,
  filesIn,
  type Json,
  oneFault,
  placedAt,
  readJsonFile,
  readText,
  refuseFile,
  sameNames,
} from "./contents-files.ts";

/** `agent.yaml`, complete enough to freeze a version. */
export function readAgent(files: BundleFiles): AgentBundle | null {
  const bytes = files.get("agent.yaml");
  if (!bytes) return null;
  const read = parseFile(bytes);
  if (read === "not_utf8")
    throw fileRefused("agent.yaml", oneFault("not_utf8", "is not UTF-8; save it in that encoding"));
  if (!read.ok) throw fileRefused("agent.yaml", read.faults);
  refuseFile("agent.yaml", freezeFaults(read.bundle));
  return read.bundle;
}

/** `tools.json`. */
export function readTools(files: BundleFiles): (Json & { readonly name: string })[] {
  const tools = readJsonFile(files, "tools.json");
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0)
    throw fileRefused("tools.json", oneFault("type", "has to be a list of at least 1 tool"));
  const bases = tools.flatMap((tool: { base?: unknown; bases?: unknown } | null) => [tool?.base, tool?.bases].flat());
  const knowledge = [...new Set(bases.filter((name) => typeof name === "string"))];
  const agent = { agent: "tools", description: "", model: { provider: "builtin" }, knowledge, tools };
  const faults = valueFaults(agent);
  const lacking = faults.length > 0 ? [] : freezeFaults({ ...agent, skills: [] } as never);
  const placed = [...faults, ...lacking].flatMap((fault): Fault[] =>
    fault.pointer.startsWith("/tools") ? [{ ...fault, pointer: fault.pointer.slice("/tools".length) }] : [],
  );
  refuseFile("tools.json", placed);
  return tools as (Json & { name: string })[];
}

/** `workflow.yaml`. */
export function readWorkflow(files: BundleFiles): Json | null {
  const text = readText(files, "workflow.yaml");
  if (text === null) return null;
  const read = definitionFromSource(text);
  if (!read.ok) throw fileRefused("workflow.yaml", read.faults);
  return read.definition as unknown as Json;
}

const { name, description, language } = CreateBaseBody.properties;
const baseForm = checks(
  Type.Object(
    { name, description, language, documents: Type.Array(Type.Object({}), { minItems: 1, maxItems: 1000 }) },
    closed,
  ),
);

interface Base {
  readonly name: string;
  readonly description?: string;
  readonly language?: string;
  readonly documents: readonly Json[];
}

/** `knowledge/<base>.json`. The installer decides who may read the documents. */
export function readBases(files: BundleFiles) {
  return filesIn(files, "knowledge", ".json").map(([named, file]) => {
    const value = readJsonFile(files, file);
    refuseFile(file, baseForm(value));
    const base = value as Base;
    if (base.name !== named)
      throw fileRefused(file, oneFault("another_name", `is ${base.name}; the file has to be named after it`, "/name"));
    refuseFile(file, documentFaults(base.documents));
    return { ...base, description: base.description ?? "", file };
  });
}

const outsideBundles = ["delete", "url", "readers"] as const;

function documentFaults(documents: readonly Json[]): Fault[] {
  const items = readDocumentItems(documents);
  return documents.flatMap((document, at) => {
    const foreign = outsideBundles.find((member) => Object.hasOwn(document, member));
    if (foreign !== undefined)
      return oneFault("excluded", "cannot stand in a bundle; leave it out", `/documents/${at}/${foreign}`);
    const item = items[at];
    return item !== undefined && "faults" in item ? placedAt(`/documents/${at}`, item.faults) : [];
  });
}

const policyForm = checks(PolicyBody);

/** `policies/<name>.json`. Installed as drafts; conditions are compiled when the bundle is submitted. */
export function readPolicies(files: BundleFiles) {
  const policies = filesIn(files, "policies", ".json").map(([, file]) => {
    const value = readJsonFile(files, file);
    refuseFile(file, policyForm(value));
    const policy = value as PolicyBody;
    const nowhere = "names environments; a policy holds where it is installed, leave them out";
    if (policy.scope?.environments) throw fileRefused(file, oneFault("excluded", nowhere, "/scope/environments"));
    return { file, name: policy.name, policy: policy as unknown as Json };
  });
  const names = policies.map((one) => one.name);
  const [twice] = sameNames(names, () => "/name");
  if (twice)
    throw fileRefused(
      policies.findLast(({ name }) => names.indexOf(name) !== names.lastIndexOf(name))?.file ?? "policies",
      [twice],
    );
  return policies;
}
