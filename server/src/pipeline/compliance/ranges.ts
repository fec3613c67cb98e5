import { chainOf, children } from "@aos/cel";
import type { ASTNode } from "@marcbachmann/cel-js";
import { MACROS } from "./cel.ts";

/** What is known of a value without the call. `data`: it comes out of `input`, whose types are the caller's. */
export type Shape =
  | { readonly kind: "int" | "double"; readonly low: number; readonly high: number }
  | { readonly kind: "list"; readonly member: Shape }
  | { readonly kind: "text" | "other" | "data" };

/** Shapes of the variables of all, exists, map and filter. */
export type Variables = ReadonlyMap<string, Shape>;

export const MOST_INT = 2 ** 63;
/** No number of the context is larger: versions count to 2⁵³, the rest is far below. One of the input that is larger is no number to calculate with. */
const MOST_NUMBER = 2 ** 53;
/** No text or list is longer. */
const MOST_MEMBERS = 2 ** 32;
const other: Shape = { kind: "other" };
const text: Shape = { kind: "text" };
const data: Shape = { kind: "data" };

/** The type that the checker of the library found. */
const typeOf = (node: ASTNode): string => String((node as { checkedType?: unknown }).checkedType);

/** What is known of the value of a checked node. */
export function shapeOf(node: ASTNode, variables: Variables): Shape {
  if (isOfInput(node, variables)) return isNumberType(typeOf(node)) ? numberOf(node, variables) : data;
  const chain = chainOf(node);
  if (chain && chain.path.length === 0 && variables.has(chain.root)) return variables.get(chain.root) as Shape;
  const type = typeOf(node);
  if (isNumberType(type)) return numberOf(node, variables);
  if (type === "string") return text;
  if (type.startsWith("list<")) return { kind: "list", member: memberOf(node, variables) };
  return other;
}

const isNumberType = (type: string): boolean => type === "int" || type === "double";

/** Whether a value comes out of `input` without a conversion. */
export function isOfInput(node: ASTNode, variables: Variables): boolean {
  const chain = chainOf(node);
  if (chain) return chain.root === "input" ? !variables.has("input") : variables.get(chain.root)?.kind === "data";
  return children(node).some((child) => isOfInput(child, variables));
}

/** Whether a number surely has a fraction, as all those of the context and of `input` have: dividing such a number by 0 comes to infinity and does not fail. */
export function isFraction(node: ASTNode, variables: Variables): boolean {
  if (typeOf(node) === "double") return true;
  const chain = chainOf(node);
  if (chain) return chain.path.length > 0 && isOfInput(node, variables);
  switch (node.op) {
    case "-_":
      return isFraction(node.args, variables);
    case "+":
    case "-":
    case "*":
    case "/":
      return node.args.some((operand) => isFraction(operand, variables));
    case "?:":
      return node.args.slice(1).every((outcome) => isFraction(outcome, variables));
    default:
      return false;
  }
}

/** What the members of a list are that all, exists, map and filter go through. */
export function memberOf(node: ASTNode, variables: Variables): Shape {
  if (isOfInput(node, variables)) return data;
  if (node.op === "list")
    return node.args
      .map((one) => shapeOf(one, variables))
      .reduce(either, node.args.length > 0 ? shapeOf(node.args[0] as ASTNode, variables) : other);
  if (node.op === "rcall" && MACROS.has(node.args[0])) {
    const [name, receiver, args] = node.args;
    const inner = inside(receiver, args, variables);
    if (name === "filter") return memberOf(receiver, variables);
    if (name === "map") return shapeOf(args.at(-1) as ASTNode, inner);
  }
  return typeOf(node) === "list<string>" ? text : other;
}

/** The variables that the body of a macro sees. */
export function inside(receiver: ASTNode, args: readonly ASTNode[], variables: Variables): Variables {
  const [variable] = args;
  return variable?.op === "id" ? new Map([...variables, [variable.args, memberOf(receiver, variables)]]) : variables;
}

function either(one: Shape, two: Shape): Shape {
  if (isNumber(one) && isNumber(two) && one.kind === two.kind)
    return { kind: one.kind, low: Math.min(one.low, two.low), high: Math.max(one.high, two.high) };
  return one.kind === two.kind ? one : other;
}

export const isNumber = (shape: Shape): shape is Extract<Shape, { low: number }> =>
  shape.kind === "int" || shape.kind === "double";

function numberOf(node: ASTNode, variables: Variables): Shape {
  const kind = typeOf(node) as "int" | "double";
  const [low, high] = boundsOf(node, variables);
  return { kind, low, high };
}

type Bounds = readonly [low: number, high: number];
const anyNumber: Bounds = [-MOST_NUMBER, MOST_NUMBER];

/** Between which numbers a value lies, if it is one; calculating with it may lead to infinity. */
export function boundsOf(node: ASTNode, variables: Variables): Bounds {
  switch (node.op) {
    case "value":
      return [Number(node.args), Number(node.args)];
    case "-_": {
      const [low, high] = boundsOf(node.args, variables);
      return [-high, -low];
    }
    case "+":
    case "-":
    case "*":
    case "/":
      return combined(node.op, boundsOf(node.args[0], variables), boundsOf(node.args[1], variables));
    case "%": {
      const [low, high] = boundsOf(node.args[1], variables);
      const most = Math.max(Math.abs(low), Math.abs(high));
      return [-most, most];
    }
    case "?:": {
      const [one, two] = [boundsOf(node.args[1], variables), boundsOf(node.args[2], variables)];
      return [Math.min(one[0], two[0]), Math.max(one[1], two[1])];
    }
    case "call":
      return boundsOfCall(node.args[0], node.args[1], variables);
    case "rcall":
      // Sizes, and parts of a moment.
      return [-MOST_MEMBERS, MOST_MEMBERS];
    default:
      return boundsOfRead(node, variables);
  }
}

function boundsOfCall(name: string, [first]: readonly ASTNode[], variables: Variables): Bounds {
  if (name === "size" || first === undefined) return [0, MOST_MEMBERS];
  return isNumberType(typeOf(first)) ? boundsOf(first, variables) : anyNumber;
}

function boundsOfRead(node: ASTNode, variables: Variables): Bounds {
  const chain = chainOf(node);
  const variable = chain && variables.get(chain.root);
  return variable && isNumber(variable) ? [variable.low, variable.high] : anyNumber;
}

function combined(op: "+" | "-" | "*" | "/", [a, b]: Bounds, [c, d]: Bounds): Bounds {
  if (op === "+") return [a + c, b + d];
  if (op === "-") return [a - d, b - c];
  const ends = op === "*" ? [a * c, a * d, b * c, b * d] : [a / c, a / d, b / c, b / d];
  const unbounded = (op === "/" && c <= 0 && d >= 0) || !ends.every(Number.isFinite);
  return unbounded ? [-Infinity, Infinity] : [Math.min(...ends), Math.max(...ends)];
}
