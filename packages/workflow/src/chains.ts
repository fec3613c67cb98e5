import { type Chain, chainOf, children } from "@aos/cel";
import type { ASTNode } from "@marcbachmann/cel-js";

/** Every name that an expression reads, with the fields that it reaches from there. */
export function chainsOf(root: ASTNode): readonly Chain[] {
  const chain = chainOf(root);
  if (chain) return [chain];
  return children(root).flatMap((child) => chainsOf(child));
}
