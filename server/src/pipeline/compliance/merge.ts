import type { RedactDemand, RunLimits } from "../../kernel/verdict.ts";

const members = ["steps", "seconds", "tokens", "cost_usd"] as const;

/** Two sets of bounds as one: the least of each. */
export function strictest(a: RunLimits | null, b: RunLimits): RunLimits {
  if (!a) return b;
  const least: { -readonly [Name in keyof RunLimits]: RunLimits[Name] } = { ...a };
  for (const name of members) {
    const bound = b[name];
    if (bound !== undefined) least[name] = Math.min(bound, a[name] ?? bound);
  }
  return least;
}

/** Two demands as one: what either wants replaced is. */
export function united(a: RedactDemand | null, b: RedactDemand): RedactDemand {
  if (!a) return b;
  if (a.kinds === "all" || b.kinds === "all") return { kinds: "all" };
  return { kinds: [...new Set([...a.kinds, ...b.kinds])].sort() };
}
