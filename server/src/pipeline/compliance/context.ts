import { type DataClass, dataClassOf, dataKinds, maximumClass, scanJson } from "@aos/data-classes";
import type { SeenByRule } from "../../kernel/approval-rules.ts";
import { environments } from "../../kernel/principal.ts";
import { dataClasses } from "../../kernel/risk.ts";
import { AGENT_ACTIONS, type AgentAction } from "./actions.ts";

/** Longest list (and widest map) that a policy reads out of the context. */
export const MAX_CONTEXT_LIST = 256;
/** Most characters of an input in which data classes are looked for. */
const MOST_SCANNED = 65_536;
/** The kind that an input has of which not everything was looked at. */
const TOO_LARGE = "too_large";
/** Deepest nesting of the parts of `input` that a policy reads. */
const MAX_INPUT_DEPTH = 32;

type FieldType = "string" | "double" | "list<string>" | "google.protobuf.Timestamp";

interface FieldSpec {
  readonly type: FieldType;
  /** `always`, or the actions in which it is sure to be there; elsewhere an expression must ask `has()` first. */
  readonly present: "always" | readonly AgentAction[];
  /** All values that a text can take: comparing with another one is a mistake that is found when saving. */
  readonly values?: readonly string[];
  readonly description: string;
}

const ofAgents: readonly AgentAction[] = AGENT_ACTIONS;
const ofTasks: readonly AgentAction[] = ["task.dispatch", "task.run"];
const ofTools: readonly AgentAction[] = ["tool.call"];
const ofModels: readonly AgentAction[] = ["model.call"];
const never: readonly AgentAction[] = [];
const riskLevels = ["low", "medium", "high", "critical"] as const;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/**
 * The groups of fields that policies can ask about: the one declaration from which the type checker, the check of `has()` and the
 * reference page are made. All numbers are doubles, so that `risk.score >= 7` and `trust.low < 0.5` both read as written.
 */
export const CONTEXT_GROUPS = {
  principal: {
    id: { type: "string", present: "always", description: "Who calls: mbr_… or system:<job>." },
    kind: {
      type: "string",
      present: "always",
      values: ["member", "service_account", "system", "agent", "anonymous"],
      description: "What kind of principal calls.",
    },
    role: {
      type: "string",
      present: "always",
      values: ["viewer", "operator", "builder", "evaluator", "approver", "auditor", "admin", "none"],
      description: "The role of the key; none for the service's own jobs.",
    },
  },
  key: {
    id: { type: "string", present: never, description: "The key used; absent for the service's own jobs." },
    scopes: {
      type: "list<string>",
      present: never,
      description: "Scopes the key is narrowed to; absent when it is not narrowed.",
    },
    address: { type: "string", present: never, description: "The IP address that the call came from." },
  },
  agent: {
    name: { type: "string", present: ofAgents, description: "The agent that acts." },
    labels: {
      type: "list<string>",
      present: ofAgents,
      description: "Its labels, as its deployment in the environment took them over.",
    },
  },
  version: {
    number: { type: "double", present: ofAgents, description: "Number of the agent's version." },
    id: { type: "string", present: ofAgents, description: "Id of the agent's version." },
  },
  skill: {
    name: { type: "string", present: ofTasks, description: "The skill that the task asks for." },
  },
  tool: {
    name: { type: "string", present: ofTools, description: "The tool that is called." },
    effect: {
      type: "string",
      present: ofTools,
      values: ["read", "write"],
      description: "Whether the tool reads or writes.",
    },
  },
  model: {
    name: { type: "string", present: ofModels, description: "The model that is called." },
  },
  workflow: {
    name: { type: "string", present: never, description: "The workflow, where a step of one of its runs acts." },
    step: { type: "string", present: never, description: "The step's id." },
  },
  data: {
    classes: {
      type: "list<string>",
      present: "always",
      values: dataClasses,
      description:
        "Classes of data that detectors found in the input and, of a model's turn, in what the run has read by searching knowledge; empty where they found none.",
    },
    kinds: {
      type: "list<string>",
      present: "always",
      values: [...dataKinds, TOO_LARGE],
      description: `Kinds of data that detectors found in the input. ${TOO_LARGE}: it has more than ${MOST_SCANNED} characters, so not all of it was read.`,
    },
    level: {
      type: "string",
      present: "always",
      values: dataClasses,
      description:
        "The most protected class that was found; public where none was, restricted where the input is too large to be read.",
    },
  },
  risk: {
    level: { type: "string", present: ofAgents, values: riskLevels, description: "The risk class of the call." },
    score: { type: "double", present: ofAgents, description: "2 · impact + likelihood, 0 to 12." },
    impact: { type: "double", present: ofAgents, description: "0 to 4." },
    likelihood: { type: "double", present: ofAgents, description: "0 to 4." },
  },
  trust: {
    score: { type: "double", present: ofTasks, description: "Trust score, between 0 and 1." },
    low: { type: "double", present: ofTasks, description: "Its 10 % quantile." },
    high: { type: "double", present: ofTasks, description: "Its 90 % quantile." },
  },
  time: {
    now: { type: "google.protobuf.Timestamp", present: "always", description: "When the call began." },
    hour: { type: "double", present: "always", description: "Hour of the day in UTC, 0 to 23." },
    weekday: { type: "string", present: "always", values: weekdays, description: "Day of the week in UTC." },
  },
  spend: {
    task_usd: { type: "double", present: never, description: "Money spent by this task so far, in US dollars." },
    agent_day_usd: {
      type: "double",
      present: never,
      description: "Money spent by this agent since midnight UTC; there where a budget in usd counts it.",
    },
    agent_month_usd: {
      type: "double",
      present: never,
      description:
        "Money spent by this agent since the first of the month, UTC; there where a budget in usd counts it.",
    },
    environment_day_usd: {
      type: "double",
      present: never,
      description: "Money spent in this environment since midnight UTC; there where a budget in usd counts it.",
    },
    environment_month_usd: {
      type: "double",
      present: never,
      description:
        "Money spent in this environment since the first of the month, UTC; there where a budget in usd counts it.",
    },
  },
} as const satisfies Record<string, Record<string, FieldSpec>>;

/** The parts of the context that are one text. */
export const CONTEXT_TEXTS = {
  action: { values: null, description: "The action, such as task.dispatch." },
  environment: { values: environments, description: "The environment of the call." },
} as const;

export type ContextGroup = keyof typeof CONTEXT_GROUPS;
/** Groups that follow from the rest of the context: `time` from `now`, `data` from `input`. */
type Derived = "time" | "data";
type Groups = typeof CONTEXT_GROUPS;
type Value<S> = S extends { readonly type: "double" }
  ? number
  : S extends { readonly type: "list<string>" }
    ? readonly string[]
    : string;
type Members<G> = {
  readonly [F in keyof G as G[F] extends { readonly present: "always" } ? F : never]: Value<G[F]>;
} & { readonly [F in keyof G as G[F] extends { readonly present: "always" } ? never : F]?: Value<G[F]> | undefined };

/**
 * What policies see of one call: plain JSON, so that it can be stored with the call and replayed. `now` is in milliseconds since the
 * epoch; `time` follows from it, `data` from `input`. A group that does not concern the call is left out.
 */
export type PolicyContext = {
  readonly action: string;
  readonly environment: (typeof environments)[number];
  readonly principal: Members<Groups["principal"]>;
  readonly now: number;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Classes of data besides those of the input. */
  readonly found?: readonly string[] | undefined;
} & { readonly [G in Exclude<ContextGroup, "principal" | Derived>]?: Members<Groups[G]> | undefined };

/** What is declared of a field; undefined for a name that is not in the context. */
export function fieldSpec(group: string, field: string): FieldSpec | undefined {
  const fields = groupFields(group);
  return fields && Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** The fields of a group; undefined for a name that is no group. */
export function groupFields(group: string): Readonly<Record<string, FieldSpec>> | undefined {
  return Object.hasOwn(CONTEXT_GROUPS, group) ? CONTEXT_GROUPS[group as ContextGroup] : undefined;
}

/** All values that a text of the context, or a member of a list of texts, can take; null where any text may stand. `field` is null for the texts outside of groups. */
export function textValues(root: string, field: string | null): readonly string[] | null {
  if (field !== null) return fieldSpec(root, field)?.values ?? null;
  return Object.hasOwn(CONTEXT_TEXTS, root) ? CONTEXT_TEXTS[root as keyof typeof CONTEXT_TEXTS].values : null;
}

/** Whether a field is there in every one of these actions, so that no `has()` is needed. */
export function isSurelyPresent(spec: FieldSpec, actions: readonly string[]): boolean {
  const present: "always" | readonly string[] = spec.present;
  return present === "always" || actions.every((action) => present.includes(action));
}

type Raw = Readonly<Record<string, unknown>>;
const nothing: Raw = Object.freeze({});

/** A class per group: the expression library knows the type of an object by its constructor. */
function groupClass(fields: readonly string[], lists: readonly string[]): new (raw: Raw) => object {
  return class {
    constructor(raw: Raw) {
      const self = this as Record<string, unknown>;
      for (let i = 0; i < fields.length; i++) self[fields[i] as string] = raw[fields[i] as string];
      for (let i = 0; i < lists.length; i++) assertBounded(raw[lists[i] as string], 1);
    }
  };
}

function makeGroupClasses(): Record<ContextGroup, new (raw: Raw) => object> {
  const made = {} as Record<ContextGroup, new (raw: Raw) => object>;
  for (const group of Object.keys(CONTEXT_GROUPS) as ContextGroup[]) {
    const fields: Readonly<Record<string, FieldSpec>> = CONTEXT_GROUPS[group];
    const names = Object.keys(fields);
    made[group] = groupClass(
      names,
      names.filter((name) => fields[name]?.type === "list<string>"),
    );
  }
  return made;
}

/** The classes behind the groups, for the declaration of their types. */
export const GROUP_CLASSES = makeGroupClasses();

/** The context as expressions read it: each group is made when a policy first asks for it, and kept for the other policies of the call. */
export class ContextView {
  readonly #raw: PolicyContext;
  readonly #made: Partial<Record<ContextGroup, object>> = {};

  constructor(raw: PolicyContext) {
    this.#raw = raw;
  }

  static {
    for (const group of Object.keys(CONTEXT_GROUPS) as ContextGroup[]) {
      Object.defineProperty(ContextView.prototype, group, {
        get(this: ContextView): object {
          this.#made[group] ??= this.#make(group);
          return this.#made[group];
        },
      });
    }
  }

  get action(): string {
    return this.#raw.action;
  }
  get environment(): string {
    return this.#raw.environment;
  }
  get input(): Raw {
    return this.#raw.input ?? nothing;
  }

  /** The call as approval rules see it. */
  get seenByRule(): SeenByRule {
    const { agent, skill, tool, risk, action } = this.#raw;
    return {
      agent: agent?.name,
      skill: skill?.name,
      tool: action === "tool.call" ? tool?.name : undefined,
      risk: risk?.level,
      input: this.input,
      dataLevel: () => (this as unknown as { readonly data: { readonly level: string } }).data.level,
    };
  }

  #make(group: ContextGroup): object {
    if (group === "data") return new GROUP_CLASSES.data(dataIn(this.#raw.input, this.#raw.found));
    if (group !== "time") return new GROUP_CLASSES[group]((this.#raw[group] as Raw | undefined) ?? nothing);
    const now = new Date(this.#raw.now);
    return new GROUP_CLASSES.time({ now, hour: now.getUTCHours(), weekday: weekdays[now.getUTCDay()] });
  }
}

/** What detectors find in an input, and what was found elsewhere. An input that they cannot read whole counts as restricted: what was not looked at may be anything. */
function dataIn(input: Raw | undefined, found: readonly string[] = []): Raw {
  const { kinds, data_class, complete } = scanJson(input, { findings: 0, characters: MOST_SCANNED });
  const classes = new Set<string>([...kinds.map(dataClassOf), ...found]);
  if (complete) return { classes: [...classes], kinds, level: maximumClass([data_class, ...(found as DataClass[])]) };
  return { classes: [...classes.add("restricted")], kinds: [...kinds, TOO_LARGE], level: "restricted" };
}

/** Throws RangeError where a part of `input` that a policy reads has a list or map beyond the bound. `path` leads to that part. */
export function assertInputBounded(input: Raw, path: readonly string[]): void {
  let value: unknown = input;
  for (let i = 0; i < path.length; i++) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, path[i] as string)) return;
    value = (value as Record<string, unknown>)[path[i] as string];
  }
  if (typeof value === "object") assertBounded(value, MAX_INPUT_DEPTH);
}

function assertBounded(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new RangeError("a value that a policy reads is nested too deeply");
  const values = Array.isArray(value) ? value : Object.values(value);
  if (values.length > MAX_CONTEXT_LIST)
    throw new RangeError(`a list that a policy reads has more than ${MAX_CONTEXT_LIST} members`);
  for (let i = 0; i < values.length; i++) assertBounded(values[i], depth - 1);
}
