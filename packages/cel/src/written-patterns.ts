import type { ASTNode } from "@marcbachmann/cel-js";
import { children } from "./chain.ts";
import { compile, PatternRefused } from "./pattern.ts";

/** What is wrong with the patterns that an expression writes out for `matches`, with the place of each in UTF-16 units. */
export function faultyPatterns(root: ASTNode): readonly { readonly detail: string; readonly offset: number }[] {
  const below = children(root).flatMap((child) => faultyPatterns(child));
  if (root.op !== "rcall" || root.args[0] !== "matches") return below;
  const [pattern] = root.args[2];
  if (pattern?.op !== "value" || typeof pattern.args !== "string") return below;
  try {
    compile(pattern.args);
    return below;
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error;
    return [{ detail: error.message, offset: pattern.pos }, ...below];
  }
}
