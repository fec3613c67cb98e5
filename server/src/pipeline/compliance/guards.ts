import type { ASTNode } from "@marcbachmann/cel-js";
import { MACROS } from "./cel.ts";
import { type Chain, chainKey, chainOf, chainText, children, isIdentifier } from "./chain.ts";
import { fieldSpec, isSurelyPresent } from "./context.ts";
import type { PolicyFault } from "./policy.ts";
import { faultAt } from "./source.ts";

/** Places that are known to be there where a node is evaluated. */
type Known = ReadonlySet<string>;
const nothing: Known = new Set();

/**
 * Finds every read of a field that may be absent and is not guarded. A guard is `has(x)` (or `"key" in x`) on the way to the read: left of it
 * under `&&`, negated left of it under `||`, or as the condition of `? :`. `actions` are those that the policy applies to: what
 * they all carry needs no guard. Expects an expression that passed the checks of structure and type.
 */
export function unguarded(source: string, root: ASTNode, actions: readonly string[]): PolicyFault[] {
  const walk = new GuardWalk(source, actions);
  walk.visit(root, nothing);
  return walk.faults;
}

class GuardWalk {
  readonly faults: PolicyFault[] = [];
  readonly #source: string;
  readonly #actions: readonly string[];

  constructor(source: string, actions: readonly string[]) {
    this.#source = source;
    this.#actions = actions;
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
        if (!MACROS.has(node.args[0])) break;
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
      const node = chain.nodes[step - 1] as ASTNode;
      const written = chainText(chain, step);
      const key = chain.path[step - 1] as string;
      const guard =
        isIdentifier(key) && node.op === "."
          ? `has(${written})`
          : `${JSON.stringify(key)} in ${chainText(chain, step - 1)}`;
      const sometimes = step === 1 && (fieldSpec(chain.root, key)?.present.length ?? 0) > 0;
      const group = sometimes ? ", or name in scope.actions only actions that always have it" : "";
      this.faults.push(
        faultAt(
          this.#source,
          node.pos,
          "unguarded_field",
          `${written} may be absent: write ${guard} && … before it${group}.`,
        ),
      );
      return;
    }
  }

  #isSure(chain: Chain, step: number): boolean {
    const spec = step === 1 ? fieldSpec(chain.root, chain.path[0] as string) : undefined;
    return spec !== undefined && isSurelyPresent(spec, this.#actions);
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
