import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import type { Fault } from "../../../kernel/errors.ts";
import { inThread } from "../../../kernel/threads.ts";
import { digestOf, valueFaults } from "./bundle/index.ts";
import type { ChangeDraftBody, CreateAgentBody } from "./draft-schemas.ts";
import { type AgentBundle, type AgentDefinition, joinBundle, splitBundle } from "./schemas.ts";

export interface DraftParts {
  readonly labels: string[];
  readonly definition: AgentDefinition;
}

/** Bundles from files that were already checked. */
const sound = new WeakSet<object>();

/** Skips the second check of a body from a file: its faults would lack their line and column. */
export function markSound<B extends object>(body: B): B {
  sound.add(body);
  return body;
}

/** A definition of so many characters takes a few milliseconds to check; a larger one is checked in a thread. */
const SMALL = 8 * 1024;

/** Faults beyond those that the operation's schema reports at the same place. */
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

/** Compiled at first use: a process that never takes a draft pays nothing. */
export function lazily(schema: object): Validator {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= compileSchema(schema);
    return compiled(value);
  };
}

/** None goes together with `from`; with any of them, a model must be named. */
const definitionMembers = ["model", "instructions", "knowledge", "callers", "handoff", "tools", "skills"] as const;

export function combinationFaults(body: Readonly<Record<string, unknown>>): Fault[] {
  if (body.from !== undefined) {
    return definitionMembers
      .filter((name) => body[name] !== undefined)
      .map((name) => ({
        pointer: `/${name}`,
        code: "not_together",
        detail:
          "cannot be combined with `from`, which gives the whole definition; change the draft of the copy afterwards",
      }));
  }
  return body.description === undefined
    ? [{ pointer: "/description", code: "required", detail: "is required; add it, or copy an agent by `from`" }]
    : [];
}

/** The bundle of a body without `from`. An empty one runs on the built-in model. */
export function bundleOf({ from: _from, ...body }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const blank = definitionMembers.every((name) => body[name] === undefined);
  return blank ? { ...body, model: { provider: "builtin" } } : body;
}

export function partsOfNew(body: CreateAgentBody): DraftParts {
  const bundle = { tools: [], skills: [], ...bundleOf(body) } as unknown as AgentBundle;
  const { labels, definition } = splitBundle(bundle);
  return { labels, definition };
}

/** A copy keeps description and labels unless the body has its own. */
export function partsOfCopy(
  { description, labels }: Pick<CreateAgentBody, "description" | "labels">,
  source: DraftParts,
): DraftParts {
  return {
    labels: labels ?? source.labels,
    definition: { ...source.definition, ...(description === undefined ? {} : { description }) },
  };
}

/** The draft with a change applied: members replace the draft's, null removes one. */
export function changedBundle(
  agent: string,
  draft: DraftParts,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { owner: _owner, agent: _agent, ...members } = change;
  const merged = { ...joinBundle(agent, draft.labels, draft.definition), ...members };
  return Object.fromEntries(Object.entries(merged).filter(([name, value]) => !(value === null && removable.has(name))));
}
const removable = new Set(["labels", "instructions", "knowledge", "callers", "handoff"]);

/** The parts of a validated change. */
export function changedParts(agent: string, draft: DraftParts, change: ChangeDraftBody): DraftParts {
  const { labels, definition } = splitBundle(changedBundle(agent, draft, change) as unknown as AgentBundle);
  return { labels, definition };
}

/** The changed bundle or, where nothing that runs changes, its words alone. */
export function bundleToCheck(
  agent: string,
  draft: DraftParts,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return definitionMembers.some((name) => name in change)
    ? changedBundle(agent, draft, change)
    : wordsOf(agent, change);
}

/** A minimal bundle with the words of a body, to check these by the same rules. */
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

export function sameParts(one: DraftParts, other: DraftParts): boolean {
  return digestOf(one) === digestOf(other);
}

/** A file replaces the whole draft: what it leaves out is removed. */
export function asWholeChange(bundle: AgentBundle): ChangeDraftBody {
  return { labels: null, instructions: null, knowledge: null, callers: null, ...bundle };
}
