import type { ASTNode } from "@marcbachmann/cel-js";

/** A path of fields from a name: `input.lead.id`, or `input["lead-id"]` for a key that is no identifier. */
export interface Chain {
  readonly root: string;
  readonly path: readonly string[];
  /** The node that reaches each member of `path`, for the place of a fault. */
  readonly nodes: readonly ASTNode[];
}

/** The chain that a node is; null for anything computed. */
export function chainOf(node: ASTNode): Chain | null {
  const path: string[] = [];
  const nodes: ASTNode[] = [];
  let at = node;
  while (at.op === "." || at.op === "[]") {
    const key: unknown = at.op === "." ? at.args[1] : at.args[1].op === "value" ? at.args[1].args : undefined;
    if (typeof key !== "string") return null;
    path.unshift(key);
    nodes.unshift(at);
    at = at.args[0];
  }
  return at.op === "id" ? { root: at.args, path, nodes } : null;
}

/** A name for the place that a chain leads to after `length` steps, the same for both ways of writing it. */
export function chainKey(chain: Chain, length: number): string {
  return JSON.stringify([chain.root, ...chain.path.slice(0, length)]);
}

/** The chain as one would write it. */
export function chainText(chain: Chain, length: number): string {
  return chain.path
    .slice(0, length)
    .reduce((text, key) => (isIdentifier(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`), chain.root);
}

/** Whether `.key` can be written. */
export function isIdentifier(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
}

/** All nodes directly below one, as they are written (macros unexpanded). */
export function children(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    case "!_":
    case "-_":
      return [node.args];
    default:
      return node.args;
  }
}
