import type { ReviewListingBody } from "./schemas.ts";
import type { ListingState } from "./words.ts";

// What a decision does to versions. `recalled` and `rejected` are final.

export type Decision = ReviewListingBody["decision"];

/** A version that was withdrawn is offered no longer, and what is installed of it can be stopped all the same. */
const transitions: Readonly<Record<Decision, { readonly from: readonly ListingState[]; readonly to: ListingState }>> = {
  approve: { from: ["submitted", "quarantined"], to: "approved" },
  reject: { from: ["submitted"], to: "rejected" },
  quarantine: { from: ["approved", "withdrawn"], to: "quarantined" },
  recall: { from: ["approved", "quarantined", "withdrawn"], to: "recalled" },
};

export interface Reviewed {
  readonly version: string;
  readonly digest: string;
  readonly state: ListingState;
  readonly review_strict: boolean;
}

/**
 * The state after a decision; null: the decision cannot be taken. `strict`: it is taken as staging and production demand, which an approval that is not so can
 * be raised to.
 */
export function stateAfter(
  { state, review_strict }: Pick<Reviewed, "state" | "review_strict">,
  decision: Decision,
  strict = false,
): ListingState | null {
  const { from, to } = transitions[decision];
  const raised = decision === "approve" && state === "approved" && strict && !review_strict;
  return raised || from.includes(state) ? to : null;
}

/** What a decision names besides itself. */
export interface Named {
  readonly version?: string;
  readonly digest?: string;
}

/** Quarantines and recalls are of all versions unless they name one; the others are of one. `versions`: the newest first. */
export function versionsMeant<V extends Reviewed>(
  versions: readonly V[],
  decision: Decision,
  { version, digest }: Named,
): readonly V[] {
  const named = versions.filter(
    (one) => (version === undefined || one.version === version) && (digest === undefined || one.digest === digest),
  );
  const stops = decision === "quarantine" || decision === "recall";
  if (version !== undefined || digest !== undefined) return named;
  if (stops) return versions.filter((one) => stateAfter(one, decision) !== null);
  return versions.filter(({ state }) => state === "submitted").slice(0, 1);
}
