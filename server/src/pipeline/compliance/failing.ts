import { chainOf, children } from "@aos/cel";
import type { ASTNode } from "@marcbachmann/cel-js";
import { isTimeZone } from "../../kernel/time-zone.ts";
import { isCidr } from "./addresses.ts";
import { celEnvironment, MACROS, TYPE_NAMES } from "./cel.ts";
import { MAX_GLOB_PATTERN } from "./glob.ts";
import type { PolicyFault } from "./policy.ts";
import { boundsOf, inside, isFraction, isNumber, isOfInput, MOST_INT, shapeOf, type Variables } from "./ranges.ts";
import { faultAt, textOf } from "./source.ts";

/**
 * Finds what could fail while a policy is evaluated, whatever the call: a division of whole numbers by zero, a conversion of a text that has another form,
 * a sum beyond the largest whole number. Left are members of `input` whose type or form is another than the policy expects: those are
 * known only of the call, which is then refused. Expects an expression that passed the checks of structure and type.
 */
export function failing(source: string, root: ASTNode): PolicyFault[] {
  const walk = new FailureWalk(source);
  walk.visit(root, new Map());
  return walk.faults;
}

/** Longest literal duration, in milliseconds: a moment and as many durations as an expression has room for stay within what a moment can be. */
const MOST_DURATION = 100 * 366 * 86_400_000;
const DIVISION = "Divide by a number other than 0 that is written out, or multiply: a > b * 2 rather than a / b > 2.";
const BY_FRACTION =
  "Divide by a fraction, as in double(size(input.tags)), by which 0 comes to infinity, or by a number that is written out.";
const FRACTIONS = "Calculate with a fraction, as in double(size(input.tags)) * 2.0.";
/** Conversions that fail on a text of another form, with what to write instead. */
const conversions: Readonly<Record<string, string>> = {
  int: 'compare the text itself, as in agent.name == "sales"',
  double: 'compare the text itself, as in agent.name == "sales"',
  bool: 'compare the text itself, as in agent.name == "sales"',
  timestamp: 'write the moment out, as in timestamp("2026-01-31T00:00:00Z"), or compare time.now',
  duration: 'write the duration out, as in duration("12h")',
  domain: "ask for the domain of a text of the input, or compare the text itself",
  inCidr: "ask for key.address or a text of the input",
};

class FailureWalk {
  readonly faults: PolicyFault[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  #fault(node: ASTNode, code: string, detail: string): void {
    this.faults.push(faultAt(this.#source, node.start, code, detail));
  }

  /** A part of the expression as it is written, cut where it is long. */
  #shown(node: ASTNode): string {
    const written = textOf(this.#source, node);
    return written.length > 80 ? `${written.slice(0, 79)}…` : written;
  }

  #evaluated(node: ASTNode): unknown {
    return celEnvironment.parse(textOf(this.#source, node))({});
  }

  /** Why evaluating a constant fails; null: it does not. */
  #failureOf(node: ASTNode): string | null {
    try {
      this.#evaluated(node);
      return null;
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      return error instanceof Error && error.name === "EvaluationError" && "summary" in error
        ? String(error.summary)
        : null;
    }
  }

  visit(node: ASTNode, variables: Variables): void {
    if (isConstant(node)) {
      this.#constant(node);
      return;
    }
    if (node.op === "rcall" && MACROS.has(node.args[0])) {
      const [, receiver, args] = node.args;
      this.visit(receiver, variables);
      const inner = inside(receiver, args, variables);
      for (const body of args.slice(1)) this.visit(body, inner);
      return;
    }
    const before = this.faults.length;
    for (const child of children(node)) this.visit(child, variables);
    if (this.faults.length === before) this.#own(node, variables);
  }

  /** What needs nothing of the call is evaluated; the fault stands at the innermost part that fails. */
  #constant(node: ASTNode): void {
    const reason = this.#failureOf(node);
    if (reason === null) {
      if (node.op === "call" && node.args[0] === "duration") this.#duration(node);
      else for (const child of children(node)) if (isConstant(child)) this.#durationsIn(child);
      return;
    }
    const inner = children(node).find((child) => isConstant(child) && this.#failureOf(child) !== null);
    if (inner) {
      this.#constant(inner);
      return;
    }
    const remedy = /division|modulo/.test(reason) ? ` ${DIVISION}` : " Take it out, or correct it.";
    this.#fault(node, "always_fails", `${this.#shown(node)} always fails: ${reason}.${remedy}`);
  }

  #durationsIn(node: ASTNode): void {
    if (node.op === "call" && node.args[0] === "duration") this.#duration(node);
    for (const child of children(node)) this.#durationsIn(child);
  }

  #duration(node: ASTNode): void {
    const length = Math.abs(Number(this.#evaluated(node)));
    if (length <= MOST_DURATION) return;
    this.#fault(
      node,
      "duration_too_long",
      `${this.#shown(node)} is too long to calculate with; a duration has 100 years at most.`,
    );
  }

  #own(node: ASTNode, variables: Variables): void {
    switch (node.op) {
      case "/":
      case "%":
        this.#division(node, node.args[1], variables);
        return;
      case "+":
      case "-":
      case "*":
      case "-_":
        this.#overflow(node, variables);
        return;
      case "call":
        this.#call(node, node.args[0], node.args[1], variables);
        return;
      case "rcall":
        this.#timeZone(node.args[0], node.args[2]);
        return;
    }
  }

  #division(node: ASTNode & { readonly op: "/" | "%" }, divisor: ASTNode, variables: Variables): void {
    const divided = node.args[0];
    if (!isConstant(divisor)) {
      const infinite = node.op === "/" && (isFraction(divided, variables) || isFraction(divisor, variables));
      if (infinite || isNever0(divisor, variables)) return;
      const remedy = node.op === "/" ? BY_FRACTION : "Divide by a number other than 0 that is written out.";
      this.#fault(
        divisor,
        "division_by_variable",
        `${this.#shown(divisor)} can be 0, and dividing whole numbers by 0 fails. ${remedy}`,
      );
      return;
    }
    if (Number(this.#evaluated(divisor)) === 0) {
      this.#fault(divisor, "division_by_variable", `Dividing by 0 comes to no number. ${DIVISION}`);
      return;
    }
    if (node.op === "%" && shapeOf(divided, variables).kind === "data") {
      const written = this.#shown(divided);
      this.#fault(
        node,
        "remainder_of_fraction",
        `% takes whole numbers, and numbers of the input are fractions: write int(${written}) % ….`,
      );
    }
  }

  #overflow(node: ASTNode, variables: Variables): void {
    const shape = shapeOf(node, variables);
    if (shape.kind !== "int" || (shape.low > -MOST_INT && shape.high < MOST_INT)) return;
    this.#fault(
      node,
      "may_overflow",
      `${this.#shown(node)} can go beyond the largest whole number, 9223372036854775807, and then fails. ${FRACTIONS}`,
    );
  }

  #call(node: ASTNode, name: string, args: readonly ASTNode[], variables: Variables): void {
    const [first, second] = args;
    if (!first || (!(name in conversions) && name !== "glob")) return;
    if (name === "glob" || name === "inCidr") this.#written(name, second);
    if (name === "glob" || this.#cannotFail(name, first, variables)) return;
    this.#fault(
      node,
      "conversion_may_fail",
      `${this.#shown(node)} fails where ${this.#shown(first)} cannot be read so: ${conversions[name]}.`,
    );
  }

  #cannotFail(name: string, argument: ASTNode, variables: Variables): boolean {
    const ofInput = isOfInput(argument, variables);
    if (name === "int")
      return (
        (ofInput || isNumber(shapeOf(argument, variables))) && boundsOf(argument, variables).every(Number.isFinite)
      );
    if (ofInput || isConstant(argument)) return true;
    if (name === "double") return isNumber(shapeOf(argument, variables));
    return name === "inCidr" && isAddress(argument);
  }

  /** A pattern or block is written out, or read of the input. */
  #written(name: "glob" | "inCidr", node: ASTNode | undefined): void {
    if (!node) return;
    if (isConstant(node)) {
      const written = String(this.#evaluated(node));
      if (name === "glob" ? written.length <= MAX_GLOB_PATTERN : isCidr(written)) return;
    }
    const what =
      name === "glob"
        ? 'a pattern, as in glob(agent.name, "sales*")'
        : 'a block, as in inCidr(key.address, "10.0.0.0/8")';
    this.#fault(
      node,
      "not_written_out",
      `${this.#shown(node)} may be no valid second argument of ${name}(): write out ${what}.`,
    );
  }

  #timeZone(method: string, [zone]: readonly ASTNode[]): void {
    if (!zone || !method.startsWith("get")) return;
    if (isConstant(zone) && isTimeZone(String(this.#evaluated(zone)))) return;
    this.#fault(
      zone,
      "unknown_time_zone",
      `${this.#shown(zone)} may be no time zone: write one out, as in "Europe/Berlin", or leave it out for UTC.`,
    );
  }
}

const isAddress = (node: ASTNode): boolean => {
  const chain = chainOf(node);
  return chain?.root === "key" && chain.path[0] === "address";
};

function isNever0(node: ASTNode, variables: Variables): boolean {
  const [low, high] = boundsOf(node, variables);
  return shapeOf(node, variables).kind === "int" && (low > 0 || high < 0);
}

/** Whether a value needs nothing of the call. */
function isConstant(node: ASTNode): boolean {
  if (node.op === "id") return TYPE_NAMES.has(node.args);
  if (node.op === "rcall" && MACROS.has(node.args[0])) return false;
  return children(node).every(isConstant);
}
