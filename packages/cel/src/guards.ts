import type { ASTNode } from "@marcbachmann/cel-js";
import { type Chain, chainKey, chainOf, children } from "./chain.ts";

/** Places that are known to be there where a node is evaluated. */
type Known = ReadonlySet<string>;
const nothing: Known = new Set();

/** A read of a field that may be absent: the chain, and how many of its steps lead there. */
export interface UnguardedRead {
  readonly chain: Chain;
  readonly step: number;
}

/**
 * Finds every read of a field that may be absent and is not guarded. A guard is `has(x)` (or `"key" in x`) on the way to the read: left of it
 * under `&&`, negated left of it under `||`, or as the condition of `? :`. `isSure`: whether the first so many steps of a chain are always there. `macros`: those
 * that bind a name.
 */
export function unguardedReads(
  root: ASTNode,
  isSure: (chain: Chain, step: number) => boolean,
  macros: ReadonlySet<string>,
): readonly UnguardedRead[] {
  const walk = new GuardWalk(isSure, macros);
  walk.visit(root, nothing);
  return walk.reads;
}

class GuardWalk {
  readonly reads: UnguardedRead[] = [];
  readonly #isSure: (chain: Chain, step: number) => boolean;
  readonly #macros: ReadonlySet<string>;

  constructor(isSure: (chain: Chain, step: number) => boolean, macros: ReadonlySet<string>) {
    this.#isSure = isSure;
    this.#macros = macros;
  }

  visit(node: ASTNode, known: Known): void {
    const chain = chainOf(node);
    if (chain) {
      this.#read(chain, chain.path.length, known);
      return;
    }
    switch (node.op) {
      case "&&":
      case "||":
        this.visit(node.args[0], known);
        this.visit(node.args[1], union(known, learned(node.args[0], node.op === "&&")));
        return;
      case "?:":
        this.visit(node.args[0], known);
        this.visit(node.args[1], union(known, learned(node.args[0], true)));
        this.visit(node.args[2], union(known, learned(node.args[0], false)));
        return;
      case "call": {
        const [subject] = node.args[1];
        const asked = node.args[0] === "has" && subject ? chainOf(subject) : null;
        if (!asked) break;
        this.#read(asked, asked.path.length - 1, known);
        return;
      }
      case "rcall":
        if (!this.#macros.has(node.args[0])) break;
        this.visit(node.args[1], known);
        for (const body of node.args[2].slice(1)) this.visit(body, known);
        return;
    }
    for (const child of children(node)) this.visit(child, known);
  }

  /** The first step of a chain that may lead nowhere. */
  #read(chain: Chain, length: number, known: Known): void {
    for (let step = 1; step <= length; step++) {
      if (known.has(chainKey(chain, step)) || this.#isSure(chain, step)) continue;
      this.reads.push({ chain, step });
      return;
    }
  }
}

/** What is known to be there once the node came out as `outcome`. */
function learned(node: ASTNode, outcome: boolean): Known {
  switch (node.op) {
    case "!_":
      return learned(node.args, !outcome);
    case "&&":
    case "||": {
      const left = learned(node.args[0], outcome);
      const right = learned(node.args[1], outcome);
      return (node.op === "&&") === outcome
        ? union(left, right)
        : new Set([...left].filter((place) => right.has(place)));
    }
    case "call": {
      const [subject] = node.args[1];
      const chain = outcome && node.args[0] === "has" && subject ? chainOf(subject) : null;
      return chain ? new Set([chainKey(chain, chain.path.length)]) : nothing;
    }
    case "in": {
      const [key, place] = node.args;
      const chain = outcome && key.op === "value" && typeof key.args === "string" ? chainOf(place) : null;
      if (!chain || key.op !== "value") return nothing;
      return new Set([JSON.stringify([chain.root, ...chain.path, key.args])]);
    }
    default:
      return nothing;
  }
}

function union(a: Known, b: Known): Known {
  if (b.size === 0) return a;
  return a.size === 0 ? b : new Set([...a, ...b]);
}
