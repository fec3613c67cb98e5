import { type Checking, checkExpression, type Place } from "./check-expressions.ts";
import { type Ancestors, ancestorsOf, graphFindings, parentsOf, stepFindings } from "./check-steps.ts";
import { checkEnvironment, type IntegerType, type OutputOf, typeOf } from "./check-types.ts";
import type { Step, Trigger, WorkflowDefinition } from "./definition.ts";
import { errorAt, type Finding, under } from "./findings.ts";
import type { KnownCalls } from "./known.ts";
import { type Plan, type PlannedStep, planOf } from "./plan.ts";
import { loopSchema, type Schema } from "./value-schemas.ts";

/**
 * Everything that is wrong with a workflow whose form is right: steps as a graph, expressions with their types, and calls of agents, tools and workflows as the
 * environment knows them. In the order of the file.
 */
export function findingsOf(definition: WorkflowDefinition, known: KnownCalls): Finding[] {
  const plan = planOf(definition);
  const form = stepFindings(definition);
  if (form.length > 0) return form;
  const graph = graphFindings(plan);
  if (graph.some(({ severity }) => severity === "error")) return graph;
  return [...graph, ...new Check(plan, known).all()];
}

class Check {
  readonly #plan: Plan;
  readonly #known: KnownCalls;
  readonly #ancestors: (id: string) => Ancestors;
  readonly #checking: Checking;
  readonly #findings: Finding[] = [];

  constructor(plan: Plan, known: KnownCalls) {
    this.#plan = plan;
    this.#known = known;
    this.#ancestors = ancestorsOf(plan);
    const outputs = new Map(plan.steps.map((planned) => [planned.id, this.#outputOf(planned)]));
    const outputOf: OutputOf = (id) => outputs.get(id);
    const lacking = new Set(plan.steps.filter((one) => lacks(one)).map(({ id }) => id));
    const open = new Set(plan.steps.filter((one) => lacks(one) || joinsFew(one)).map(({ id }) => id));
    const mayLack: Checking["mayLack"] = (id, within) =>
      lacking.has(id) || parentsOf(plan, id).some((parent) => open.has(parent) && !within.includes(parent));
    this.#checking = { plan, environments: environmentsOf(plan, outputOf), outputOf, mayLack };
  }

  all(): Finding[] {
    const { definition, steps } = this.#plan;
    for (const planned of steps) this.#step(planned);
    const every = new Set(steps.map(({ id }) => id));
    this.#values(definition.output, { pointer: "/output", before: every, hasEvent: false });
    const start = { before: new Set<string>(), hasEvent: true };
    if (definition.key !== undefined) this.#expression(definition.key, { ...start, pointer: "/key" });
    if (definition.concurrency) this.#expression(definition.concurrency.key, { ...start, pointer: "/concurrency/key" });
    for (const [at, trigger] of (definition.triggers ?? []).entries()) this.#trigger(trigger, `/triggers/${at}`);
    return this.#findings;
  }

  /** What a step answers. */
  #outputOf({ step, kind }: PlannedStep): Schema | undefined {
    if (step.for_each) return loopSchema;
    if (kind === "agent" && step.agent) return schemaOf(this.#known.skill(step.agent.name, step.agent.skill), "output");
    if (kind === "workflow" && step.workflow)
      return schemaOf(this.#known.workflow(step.workflow.name, step.workflow.version ?? null), "output");
    if (kind === "approval")
      return { type: "object", required: ["approved"], properties: { approved: { type: "boolean" } } };
    return undefined;
  }

  #step(planned: PlannedStep): void {
    const { step, pointer } = planned;
    const before = this.#ancestors(planned.id);
    const within = parentsOf(this.#plan, planned.id);
    const at = (name: string, wanted?: Place["wanted"]): Place => ({
      pointer: `${pointer}/${name}`,
      before,
      within,
      hasEvent: false,
      ...(wanted && { wanted }),
    });
    if (step.when !== undefined) this.#expression(step.when, at("when", "bool"));
    if (step.for_each) this.#expression(step.for_each.in, at("for_each/in", "list"));
    this.#values(step.set, at("set"));
    this.#wait(step, at);
    if (step.approval) this.#expression(step.approval.title, at("approval/title"));
    this.#values(step.approval?.context, at("approval/context"));
    if (step.end?.reason !== undefined) this.#expression(step.end.reason, at("end/reason"));
    this.#values(step.end?.output, at("end/output"));
    this.#call(step, pointer, at, step.for_each?.as ?? (step.for_each ? "item" : undefined));
    if (!step.compensate) return;
    const undone = { has: (id: string) => id === planned.id || before.has(id) };
    this.#call(step.compensate, `${pointer}/compensate`, (name) => ({
      pointer: `${pointer}/compensate/${name}`,
      before: undone,
      within,
      hasEvent: false,
    }));
  }

  #wait({ wait }: Step, at: (name: string, wanted?: Place["wanted"]) => Place): void {
    if (!wait) return;
    if (wait.until !== undefined) this.#expression(wait.until, at("wait/until", "moment"));
    if (wait.since !== undefined) this.#expression(wait.since, at("wait/since", "moment"));
    if (wait.where !== undefined) this.#expression(wait.where, { ...at("wait/where", "bool"), hasEvent: true });
    for (const [n, { where }] of (wait.any_of ?? []).entries())
      if (where !== undefined) this.#expression(where, { ...at(`wait/any_of/${n}/where`, "bool"), hasEvent: true });
  }

  /** The call of an agent, a tool or a workflow: whether it is there, and whether it takes what it is given. */
  #call(
    step: Pick<Step, "agent" | "tool" | "workflow">,
    pointer: string,
    at: (name: string) => Place,
    item?: string,
  ): void {
    const { agent, tool, workflow } = step;
    if (agent)
      this.#given(
        this.#known.skill(agent.name, agent.skill),
        "input",
        `${pointer}/agent`,
        agent.input,
        at("agent/input"),
        item,
      );
    if (tool)
      this.#given(
        this.#known.tool(tool.agent, tool.name),
        "arguments",
        `${pointer}/tool`,
        tool.arguments,
        at("tool/arguments"),
        item,
      );
    if (!workflow) return;
    if (workflow.name === this.#plan.definition.workflow)
      this.#findings.push(
        errorAt(
          `${pointer}/workflow/name`,
          "calls_itself",
          "A workflow that calls itself has no bound; use for_each, or another workflow.",
        ),
      );
    else
      this.#given(
        this.#known.workflow(workflow.name, workflow.version ?? null),
        "input",
        `${pointer}/workflow`,
        workflow.input,
        at("workflow/input"),
        item,
      );
  }

  #given(
    called: { readonly input?: Schema; readonly arguments?: Schema } | string,
    member: "input" | "arguments",
    pointer: string,
    values: Readonly<Record<string, unknown>> | undefined,
    place: Place,
    item?: string,
  ): void {
    if (typeof called === "string") this.#findings.push(errorAt(pointer, "not_there", called));
    const schema = typeof called === "string" ? undefined : called[member];
    const { properties, required, additionalProperties } = (schema ?? {}) as {
      properties?: Schema;
      required?: readonly string[];
      additionalProperties?: unknown;
    };
    for (const name of required ?? [])
      if (values?.[name] === undefined)
        this.#findings.push(errorAt(place.pointer, "missing", `${name} is required here and not given.`));
    for (const [name, value] of Object.entries(values ?? {})) {
      const below = { ...place, pointer: under(place.pointer, name) };
      if (properties && additionalProperties === false && !Object.hasOwn(properties, name))
        this.#findings.push(
          errorAt(
            below.pointer,
            "unknown_field",
            `${name} is not known here; there is ${Object.keys(properties).join(", ") || "nothing"}.`,
          ),
        );
      this.#value(value, below, typeOf(properties?.[name]), item);
    }
  }

  #values(values: Readonly<Record<string, unknown>> | undefined, place: Place): void {
    for (const [name, value] of Object.entries(values ?? {}))
      this.#value(value, { ...place, pointer: under(place.pointer, name) });
  }

  #value(value: unknown, place: Place, wanted: unknown = "dyn", item?: string): void {
    if (typeof value === "string") {
      const type = this.#expression(value, place, item);
      if (type !== null && !fits(type, wanted))
        this.#findings.push(
          errorAt(
            place.pointer,
            "type_mismatch",
            `It comes to ${type}, and ${typeof wanted === "string" ? wanted : "an object"} is needed.`,
          ),
        );
    } else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value))
        this.#value(one, { ...place, pointer: under(place.pointer, name) }, "dyn", item);
    else if (value !== null && !fits(typeof value === "number" ? "double" : "bool", wanted))
      this.#findings.push(
        errorAt(
          place.pointer,
          "type_mismatch",
          `${JSON.stringify(value)} is no ${typeof wanted === "string" ? wanted : "object"}. A text is written as "'${String(value)}'".`,
        ),
      );
  }

  #expression(source: string, place: Place, item?: string): string | null {
    const checking = item === undefined ? this.#checking : this.#withItem(item);
    const { findings, type } = checkExpression(checking, source, place);
    this.#findings.push(...findings);
    return type;
  }

  #withItem(name: string): Checking {
    const { environments } = this.#checking;
    const withItem = (integer: IntegerType) =>
      environments(integer).clone().registerVariable(name, "dyn").registerVariable(`${name}_index`, integer);
    return { ...this.#checking, environments: withItem };
  }

  #trigger(trigger: Trigger, pointer: string): void {
    const place = { before: new Set<string>(), hasEvent: true };
    if ("where" in trigger && trigger.where !== undefined)
      this.#expression(trigger.where, { ...place, pointer: `${pointer}/where`, wanted: "bool" });
    if ("schedule" in trigger) return;
    const { input } = this.#plan.definition;
    this.#given({ ...(input && { input }) }, "input", pointer, trigger.map, { ...place, pointer: `${pointer}/map` });
  }
}

/** Environments for both types of integers, made when they are asked for. */
function environmentsOf(plan: Plan, outputOf: OutputOf): Checking["environments"] {
  const made = new Map<IntegerType, ReturnType<Checking["environments"]>>();
  return (integer) => {
    const environment = made.get(integer) ?? checkEnvironment(plan, outputOf, integer);
    made.set(integer, environment);
    return environment;
  };
}

const schemaOf = <M extends string>(called: { readonly [K in M]?: Schema } | string, member: M): Schema | undefined =>
  typeof called === "string" ? undefined : called[member];

/** Whether a step may be over without an output. */
const lacks = ({ step }: PlannedStep): boolean => step.when !== undefined || step.on_error === "continue";

/** Whether branches may be left before they are over. */
const joinsFew = ({ step }: PlannedStep): boolean => (step.parallel?.join ?? "all") !== "all";

/** Whether a value of a type can stand where another is needed; objects are looked at when they are made. */
function fits(type: string, wanted: unknown): boolean {
  if (type === "dyn" || wanted === "dyn" || type === "null") return true;
  if (typeof wanted !== "string") return type.startsWith("map") || type.startsWith("$") || type.includes(".");
  if (wanted.startsWith("map")) return !["string", "double", "int", "bool"].includes(type) && !type.startsWith("list");
  if (wanted.startsWith("list")) return type.startsWith("list");
  // Whether a number is whole is known when the call is made.
  if (wanted === "double" || wanted === "int") return type === "double" || type === "int";
  if (wanted === "string") return type === "string" || type.includes("Timestamp");
  return type === wanted;
}
