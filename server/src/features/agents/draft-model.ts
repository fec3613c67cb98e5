import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import type { Fault } from "../../kernel/errors.ts";
import { inThread } from "../../kernel/threads.ts";
import { digestOf, valueFaults } from "./bundle/index.ts";
import { type AgentBundle, type AgentDefinition, joinBundle, splitBundle } from "./definition.ts";
import type { ChangeDraftBody, CreateAgentBody } from "./drafts-schemas.ts";

/** What is stored of a draft. */
export interface DraftParts {
  readonly labels: string[];
  readonly definition: AgentDefinition;
}

/** Bundles that a reader of files found to be without fault: they are not checked a second time. */
const sound = new WeakSet<object>();

/** Notes that a body came from a file that was checked, with places that its JSON form has no more. */
export function markSound<B extends object>(body: B): B {
  sound.add(body);
  return body;
}

/** A definition of so many characters at most takes less than some milliseconds to be judged; a larger one is judged in a thread. */
const SMALL = 8 * 1024;

/** What a body breaks of the rules of definitions, beyond what the schema of the operation says of it in the same words. */
export function definitionFaults(body: object, bundle: unknown, schema: Validator): Faults | Promise<Faults> {
  if (sound.has(body)) return [];
  const unsaid = (faults: readonly BodyFault[]): Faults => {
    if (faults.length === 0) return faults;
    const said = new Set(schema(body).map(placeOf));
    return faults.filter((fault) => !said.has(placeOf(fault)));
  };
  if (JSON.stringify(bundle).length <= SMALL) return unsaid(valueFaults(bundle));
  return inThread<readonly BodyFault[]>(new URL("./bundle/parse.ts", import.meta.url), "valueFaults", bundle).then(
    unsaid,
  );
}

type Faults = readonly Fault[];

const placeOf = ({ code, pointer }: BodyFault): string => `${code} ${pointer}`;

/** A validator that is compiled at its first use: a process that never takes a draft pays nothing. */
export function lazily(schema: object): Validator {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= compileSchema(schema);
    return compiled(value);
  };
}

/** Members of a definition: none of them goes together with `from`, and with one of them a model is named. */
const definitionMembers = ["model", "instructions", "knowledge", "tools", "skills"] as const;

/** What is wrong with the combination of a new agent's members. */
export function combinationFaults(body: Readonly<Record<string, unknown>>): Fault[] {
  if (body.from !== undefined) {
    return definitionMembers
      .filter((name) => body[name] !== undefined)
      .map((name) => ({
        pointer: `/${name}`,
        code: "not_together",
        detail:
          "does not go together with `from`, which gives the whole definition; change the draft of the copy afterwards",
      }));
  }
  return body.description === undefined
    ? [{ pointer: "/description", code: "required", detail: "is required; add it, or copy an agent by `from`" }]
    : [];
}

/** The bundle that the body of a new agent stands for where it names no source. One that has no definition yet runs on the built-in model. */
export function bundleOf({ from: _from, ...body }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const blank = definitionMembers.every((name) => body[name] === undefined);
  return blank ? { ...body, model: { provider: "builtin" } } : body;
}

/** What is stored of a new agent that is not a copy. The body was found without fault. */
export function partsOfNew(body: CreateAgentBody): DraftParts {
  const bundle = { tools: [], skills: [], ...bundleOf(body) } as unknown as AgentBundle;
  const { labels, definition } = splitBundle(bundle);
  return { labels, definition };
}

/** What is stored of a copy: description and labels are those of the body where it has them. */
export function partsOfCopy(
  { description, labels }: Pick<CreateAgentBody, "description" | "labels">,
  source: DraftParts,
): DraftParts {
  return {
    labels: labels ?? source.labels,
    definition: { ...source.definition, ...(description === undefined ? {} : { description }) },
  };
}

/** The bundle that a draft would be with a change: members that are given take the place of the draft's, null takes one away. */
export function changedBundle(
  agent: string,
  draft: DraftParts,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { owner: _owner, agent: _agent, ...members } = change;
  const merged = { ...joinBundle(agent, draft.labels, draft.definition), ...members };
  return Object.fromEntries(Object.entries(merged).filter(([name, value]) => !(value === null && removable.has(name))));
}
const removable = new Set(["labels", "instructions", "knowledge"]);

/** What is stored of a changed draft. The change was found without fault. */
export function changedParts(agent: string, draft: DraftParts, change: ChangeDraftBody): DraftParts {
  const { labels, definition } = splitBundle(changedBundle(agent, draft, change) as unknown as AgentBundle);
  return { labels, definition };
}

/** What has to be checked of a change: the bundle that it makes or, where it changes nothing that is run, its words alone. */
export function bundleToCheck(
  agent: string,
  draft: DraftParts,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return definitionMembers.some((name) => name in change)
    ? changedBundle(agent, draft, change)
    : wordsOf(agent, change);
}

/** A bundle of nothing but the name, the description and the labels of a body: enough to hold these to their rules. */
export function wordsOf(
  agent: string,
  { description = "", labels }: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return {
    agent,
    description,
    ...(labels === undefined || labels === null ? {} : { labels }),
    model: { provider: "builtin" },
  };
}

/** Whether two drafts say the same. */
export function sameParts(one: DraftParts, other: DraftParts): boolean {
  return digestOf(one) === digestOf(other);
}

/** A file as a change: it replaces the whole draft, so that what it leaves out is taken away. */
export function asWholeChange(bundle: AgentBundle): ChangeDraftBody {
  return { labels: null, instructions: null, knowledge: null, ...bundle };
}
