import type { Arrangements } from "./arrangements/arranged.ts";
import * as budgets from "./arrangements/budgets.ts";
import * as connections from "./arrangements/connections.ts";
import * as core from "./arrangements/core.ts";
import * as deployments from "./arrangements/deployments.ts";
import * as drafts from "./arrangements/drafts.ts";
import * as evaluations from "./arrangements/evaluations.ts";
import * as exported from "./arrangements/exports.ts";
import * as feedback from "./arrangements/feedback.ts";
import * as knowledge from "./arrangements/knowledge.ts";
import * as people from "./arrangements/people.ts";
import * as policies from "./arrangements/policies.ts";
import * as stops from "./arrangements/stops.ts";
import * as surface from "./arrangements/surface.ts";
import * as training from "./arrangements/training.ts";
import * as trust from "./arrangements/trust.ts";
import * as webhooks from "./arrangements/webhooks.ts";
import * as workbench from "./arrangements/workbench.ts";

export { type Arrange, type Arranged, withMail } from "./arrangements/arranged.ts";

const parts = [
  core,
  drafts,
  deployments,
  surface,
  workbench,
  policies,
  budgets,
  stops,
  exported,
  people,
  feedback,
  trust,
  training,
  knowledge,
  evaluations,
  connections,
  webhooks,
];

/** One entry for each operation that has an address, from the files beside; `every-operation.test.ts` fails for one without. */
export const arrange: Arrangements = together(parts.map((part) => part.arrange));

/** Objects that the organization shares: who asks from another environment sees them. Why, for each; the list may only shrink. */
export const seenFromEverywhere: Readonly<Record<string, string>> = together(
  parts.map((part) => part.seenFromEverywhere),
);

/** All entries in one; throws where two files have one for the same operation. */
function together<T>(records: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  const entries = records.flatMap(Object.entries<T>);
  const twice = entries.map(([id]) => id).filter((id, at, ids) => ids.indexOf(id) !== at);
  if (twice.length > 0) throw new Error(`arranged for twice: ${twice.join(", ")}`);
  return Object.fromEntries(entries);
}
