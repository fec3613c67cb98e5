import type { PartKind } from "./install-schemas.ts";
import type { PlannedCall } from "./plan-words.ts";

/** How long names of these kinds may be. */
const longest: Partial<Record<PartKind, number>> = {
  ...{ agent: 40, knowledge_base: 64, dataset: 64, scorer: 64, workflow: 64, policy: 200 },
};

/** Names that the suffix makes too long. */
export function nameFaults(plan: readonly PlannedCall[]): { readonly pointer: string; readonly detail: string }[] {
  const long = plan.find(({ kind, name }) => name.length > (longest[kind] ?? Number.POSITIVE_INFINITY));
  if (!long) return [];
  const { kind, name } = long;
  const detail = `makes the name of the ${kind.replace("_", " ")} ${name} longer than ${longest[kind]} characters; take a shorter one`;
  return [{ pointer: "/suffix", detail }];
}
