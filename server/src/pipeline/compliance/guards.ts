import { type Chain, chainText, isIdentifier, unguardedReads } from "@aos/cel";
import type { ASTNode } from "@marcbachmann/cel-js";
import { MACROS } from "./cel.ts";
import { fieldSpec, isSurelyPresent } from "./context.ts";
import type { PolicyFault } from "./policy.ts";
import { faultAt } from "./source.ts";

/**
 * A fault for every read of a field that may be absent and is not guarded by `has(x)` or `"key" in x`. `actions` are those that the policy applies to: what they
 * all carry needs no guard. Expects an expression that passed the checks of structure and type.
 */
export function unguarded(source: string, root: ASTNode, actions: readonly string[]): PolicyFault[] {
  const isSure = (chain: Chain, step: number): boolean => {
    const spec = step === 1 ? fieldSpec(chain.root, chain.path[0] as string) : undefined;
    return spec !== undefined && isSurelyPresent(spec, actions);
  };
  return unguardedReads(root, isSure, MACROS).map(({ chain, step }) => faultOf(source, chain, step));
}

function faultOf(source: string, chain: Chain, step: number): PolicyFault {
  const node = chain.nodes[step - 1] as ASTNode;
  const written = chainText(chain, step);
  const key = chain.path[step - 1] as string;
  const guard =
    isIdentifier(key) && node.op === "."
      ? `has(${written})`
      : `${JSON.stringify(key)} in ${chainText(chain, step - 1)}`;
  const sometimes = step === 1 && (fieldSpec(chain.root, key)?.present.length ?? 0) > 0;
  const group = sometimes ? ", or name in scope.actions only actions that always have it" : "";
  const detail = `${written} may be absent: write ${guard} && … before it${group}.`;
  return faultAt(source, node.pos, "unguarded_field", detail);
}
