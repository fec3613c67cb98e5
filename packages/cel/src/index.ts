export { type Chain, chainKey, chainOf, chainText, children, isIdentifier } from "./chain.ts";
export { type UnguardedRead, unguardedReads } from "./guards.ts";
