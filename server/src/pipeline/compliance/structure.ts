import { type Chain, chainOf, children } from "@aos/cel";
import type { ASTNode } from "@marcbachmann/cel-js";
import { isCidr } from "./addresses.ts";
import { GLOBAL_FUNCTIONS, MACROS, METHODS, TYPE_NAMES } from "./cel.ts";
import { CONTEXT_GROUPS, CONTEXT_TEXTS, fieldSpec, groupFields, MAX_CONTEXT_LIST, textValues } from "./context.ts";
import { MAX_GLOB_PATTERN } from "./glob.ts";
import type { PolicyFault } from "./policy.ts";
import { faultAt } from "./source.ts";

/** Most nodes of an expression; a list of constants counts as one. */
export const MAX_NODES = 200;
/** Most faults of one expression. */
const MAX_FAULTS = 20;

/** What the walk found besides faults: the parts of `input` that are read, so that their size can be bounded when a call is decided. */
export interface Structure {
  readonly faults: readonly PolicyFault[];
  /** Names of the context that are read: groups, texts, `input`. */
  readonly reads: ReadonlySet<string>;
  readonly inputReads: readonly (readonly string[])[];
}

/**
 * Holds an expression to what a policy may consist of: number of nodes, depth of macros, allowed functions, names that exist.
 * Types are the library's to check; it runs afterwards.
 */
export function checkStructure(source: string, root: ASTNode): Structure {
  const walk = new Walk(source);
  walk.visit(root);
  return { faults: walk.faults, reads: walk.reads, inputReads: walk.inputReads };
}

const isConstantList = (node: ASTNode): boolean =>
  node.op === "list" && node.args.every((member) => member.op === "value");

class Walk {
  readonly faults: PolicyFault[] = [];
  readonly inputReads: string[][] = [];
  readonly reads = new Set<string>();
  readonly #source: string;
  readonly #variables: string[] = [];
  #nodes = 0;

  constructor(source: string) {
    this.#source = source;
  }

  #fault(offset: number, code: string, detail: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(faultAt(this.#source, offset, code, detail));
  }

  visit(node: ASTNode): void {
    if (!this.#count(1, node.pos)) return;
    switch (node.op) {
      case "value":
        return;
      case "id":
      case ".":
      case ".?":
      case "[]":
      case "[?]":
        this.#reference(node);
        return;
      case "call":
        this.#call(node.pos, node.args[0], node.args[1]);
        return;
      case "rcall":
        this.#method(node, node.args[0], node.args[1], node.args[2]);
        return;
      case "map":
        this.#fault(node.pos, "map_literal", "Maps cannot be written in a policy; compare fields one by one.");
        return;
      case "list":
        this.#list(node, node.args);
        return;
      case "==":
      case "!=":
      case "in":
        this.#comparison(node.args[0], node.args[1]);
        this.#comparison(node.args[1], node.args[0]);
        this.#all(node);
        return;
      case "+":
        this.#addition(node.pos, node.args);
        this.#all(node);
        return;
      default:
        this.#all(node);
        return;
    }
  }

  /** Counts nodes; false once there are too many. Says so once, with the place where the bound was passed. */
  #count(nodes: number, at: number): boolean {
    const before = this.#nodes;
    this.#nodes += nodes;
    if (before <= MAX_NODES && this.#nodes > MAX_NODES) {
      this.#fault(
        at,
        "too_many_nodes",
        `The expression has more than ${MAX_NODES} nodes, from here on; split it into several policies.`,
      );
    }
    return this.#nodes <= MAX_NODES;
  }

  #all(node: ASTNode): void {
    for (const child of children(node)) this.visit(child);
  }

  #reference(node: ASTNode): void {
    const chain = chainOf(node);
    if (!chain) {
      this.#fault(
        node.pos,
        "computed_access",
        "Only a field named by a constant can be read here. Look into lists with exists(), all() or in.",
      );
      return;
    }
    this.#count(chain.path.length, node.pos);
    this.#chain(node, chain);
    if (chain.root === "input" && !this.#variables.includes("input")) this.inputReads.push([...chain.path]);
  }

  #chain(node: ASTNode, { root, path, nodes }: Chain): void {
    const [field] = path;
    if (this.#variables.includes(root)) return;
    if (isContextName(root)) this.reads.add(root);
    if (root === "input") return;
    if (TYPE_NAMES.has(root) && field === undefined) return;
    if (Object.hasOwn(CONTEXT_TEXTS, root)) {
      if (field !== undefined)
        this.#fault(nodes[0]?.pos ?? node.pos, "unknown_field", `${root} is a text and has no field ${field}.`);
      return;
    }
    const fields = groupFields(root);
    if (!fields) {
      const known = [...Object.keys(CONTEXT_TEXTS), ...Object.keys(CONTEXT_GROUPS), "input"].join(", ");
      this.#fault(node.start, "unknown_name", `${root} is not known to policies. Known: ${known}.`);
    } else if (field === undefined) {
      this.#fault(node.pos, "field_required", `Name a field of ${root}: ${Object.keys(fields).join(", ")}.`);
    } else if (!fieldSpec(root, field)) {
      this.#fault(
        nodes[0]?.pos ?? node.pos,
        "unknown_field",
        `${root} has no field ${field}. Known: ${Object.keys(fields).join(", ")}.`,
      );
    } else if (path.length > 1) {
      this.#fault(
        nodes[1]?.pos ?? node.pos,
        "unknown_field",
        `${root}.${field} is a ${fieldSpec(root, field)?.type} and has no field ${path[1]}.`,
      );
    }
  }

  #call(at: number, name: string, args: readonly ASTNode[]): void {
    const second = args[1];
    if (name === "matches") {
      this.#matches(at);
      return;
    }
    if (!GLOBAL_FUNCTIONS.has(name)) {
      this.#fault(
        at,
        "unknown_function",
        `${name}() is not a function of policies. Known: ${[...GLOBAL_FUNCTIONS].join(", ")}.`,
      );
      return;
    }
    if (name === "has") {
      this.#has(at, args);
      return;
    }
    if (name === "inCidr" && second?.op === "value" && typeof second.args === "string" && !isCidr(second.args)) {
      this.#fault(
        second.start,
        "invalid_cidr",
        "This is not a CIDR block; write one such as 10.0.0.0/8 or 2001:db8::/32.",
      );
    }
    if (
      name === "glob" &&
      second?.op === "value" &&
      typeof second.args === "string" &&
      second.args.length > MAX_GLOB_PATTERN
    ) {
      this.#fault(second.start, "pattern_too_long", `A glob pattern has at most ${MAX_GLOB_PATTERN} characters.`);
    }
    for (const arg of args) this.visit(arg);
  }

  #has(at: number, args: readonly ASTNode[]): void {
    const [subject] = args;
    const chain = subject && args.length === 1 ? chainOf(subject) : null;
    if (!subject || !chain || chain.path.length === 0 || chain.nodes.some((node) => node.op !== ".")) {
      this.#fault(
        subject?.pos ?? at,
        "invalid_has",
        'has() takes one field, such as has(input.lead_id). For a key that is no identifier write "lead-id" in input.',
      );
      return;
    }
    this.#count(chain.path.length + 1, subject.pos);
    this.#chain(subject, chain);
  }

  #method(node: ASTNode, name: string, receiver: ASTNode, args: readonly ASTNode[]): void {
    const named = this.#source.indexOf(name, receiver.end);
    const at = named < 0 ? node.pos : named;
    if (name === "matches") {
      this.#matches(at);
      return;
    }
    if (MACROS.has(name)) {
      this.#macro(at, name, receiver, args);
      return;
    }
    if (!METHODS.has(name)) {
      this.#fault(
        at,
        "unknown_function",
        `.${name}() is not a method of policies. Known: ${[...METHODS, ...MACROS].join(", ")}.`,
      );
      return;
    }
    this.visit(receiver);
    for (const arg of args) this.visit(arg);
  }

  #matches(at: number): void {
    this.#fault(
      at,
      "matches_not_allowed",
      "matches is not available, since a regular expression can take time without bound; use glob(text, pattern), startsWith, endsWith or contains.",
    );
  }

  #macro(at: number, name: string, receiver: ASTNode, args: readonly ASTNode[]): void {
    this.visit(receiver);
    if (this.#variables.length > 0) {
      this.#fault(
        at,
        "macro_nested",
        `.${name}() stands inside another all, exists, map or filter; one level is allowed. Split the policy in two.`,
      );
      return;
    }
    const [variable, ...rest] = args;
    if (variable?.op !== "id") {
      this.#fault(
        variable?.pos ?? at,
        "invalid_macro",
        `.${name}() takes a name for the member first, as in input.tags.${name}(tag, tag == "x").`,
      );
      return;
    }
    const taken = isContextName(variable.args) || TYPE_NAMES.has(variable.args);
    if (taken)
      this.#fault(
        variable.pos,
        "name_taken",
        `${variable.args} already has a meaning in policies; choose another name.`,
      );
    this.#count(1, variable.pos);
    this.#variables.push(variable.args);
    for (const arg of rest) this.visit(arg);
    this.#variables.pop();
  }

  #list(node: ASTNode, members: readonly ASTNode[]): void {
    if (members.length > MAX_CONTEXT_LIST) {
      this.#fault(
        members[MAX_CONTEXT_LIST]?.pos ?? node.pos,
        "list_too_long",
        `A list has at most ${MAX_CONTEXT_LIST} members.`,
      );
    }
    if (!isConstantList(node)) for (const member of members) this.visit(member);
  }

  /** A text of the context with known values, compared with a value that it never has, is a policy that never applies: a mistake. */
  #comparison(left: ASTNode, right: ASTNode): void {
    const chain = chainOf(left);
    if (!chain || this.#variables.includes(chain.root) || chain.path.length > 1) return;
    const values = textValues(chain.root, chain.path[0] ?? null);
    if (!values) return;
    for (const literal of right.op === "list" ? right.args : [right]) {
      if (literal.op !== "value" || typeof literal.args !== "string" || values.includes(literal.args)) continue;
      this.#fault(
        literal.start,
        "unknown_value",
        `${[chain.root, ...chain.path].join(".")} never is ${JSON.stringify(literal.args)}; it is one of ${values.join(", ")}.`,
      );
    }
  }

  /** Joining lists copies them: cheap once, costly for every member of another list. */
  #addition(at: number, operands: readonly ASTNode[]): void {
    if (operands.some(isList)) {
      this.#fault(at, "list_addition", "Lists cannot be added; ask each of them with exists() or in.");
      return;
    }
    if (this.#variables.length === 0) return;
    for (const operand of operands) {
      const chain = chainOf(operand);
      if (!chain || (chain.root !== "input" && !this.#variables.includes(chain.root))) continue;
      this.#fault(
        operand.pos,
        "untyped_addition",
        "Inside all, exists, map and filter, say what is added: double(…) or string(…).",
      );
    }
  }
}

function isList(node: ASTNode): boolean {
  if (node.op === "list") return true;
  if (node.op === "rcall") return node.args[0] === "map" || node.args[0] === "filter";
  const chain = chainOf(node);
  return chain?.path.length === 1 && fieldSpec(chain.root, chain.path[0] as string)?.type === "list<string>";
}

const isContextName = (name: string): boolean =>
  name === "input" || Object.hasOwn(CONTEXT_TEXTS, name) || groupFields(name) !== undefined;
