import type { OperationDescription } from "../src/kernel/operation-seal.ts";

type Has = (operation: OperationDescription) => boolean;

/** What a declaration may ask of the pipeline besides its method and its way to commit. */
export const options = {
  permission: ({ permission }) => typeof permission === "string",
  load: ({ exemptions }) => exemptions.load === undefined,
  gate: ({ exemptions }) => exemptions.gate === undefined,
  compliance: ({ action }) => action !== null,
  budget: ({ spends }) => spends,
  "required If-Match": ({ needsRevision }) => needsRevision,
  "optional If-Match": ({ takesRevision }) => takesRevision,
  "a received file": ({ receives }) => receives !== undefined,
  "a streamed answer": ({ streams }) => streams.length > 0,
  "a further type of body": ({ reads }) => reads.length > 0,
  "a further type of answer": ({ writes }) => writes.length > 0,
  "a secret in the answer": ({ secret }) => secret !== undefined,
  "a page of a list": ({ query }) => query !== undefined && "cursor" in query.properties,
  "a count among the endpoints of the specification": ({ listed }) => listed === true,
  Location: ({ hasLocation }) => hasLocation,
  ETag: ({ hasRevision }) => hasRevision,
  "If-None-Match": ({ conditional }) => conditional,
  "Prefer: wait": ({ waitable }) => waitable === true,
  "a body of another size": ({ largestBody }) => largestBody !== undefined,
} satisfies Record<string, Has>;

/** Options that make another way through the pipeline; the others are independent of them. */
const kinds = [
  "permission",
  "load",
  "gate",
  "compliance",
  "required If-Match",
  "optional If-Match",
  "a received file",
  "a streamed answer",
] as const;

/** What the pipeline treats alike: operations of one kind pass the same stages. */
export function kindOf(operation: OperationDescription): string {
  return [operation.method, operation.kind, ...kinds.filter((name) => options[name](operation))].join(", ");
}

/** One operation of each kind, and one more for each option and kind of narrowing that none of those has. */
export function representatives(operations: readonly OperationDescription[]): OperationDescription[] {
  const chosen = new Map<string, OperationDescription>();
  for (const operation of operations) {
    const kind = kindOf(operation);
    if (!chosen.has(kind)) chosen.set(kind, operation);
  }
  const narrowings = [...new Set(operations.map(({ narrowing }) => narrowing?.kind))];
  const wanted: Has[] = [
    ...Object.values(options),
    ...narrowings.map(
      (kind): Has =>
        ({ narrowing }) =>
          narrowing?.kind === kind,
    ),
  ];
  for (const has of wanted) {
    if ([...chosen.values()].some(has)) continue;
    const first = operations.find(has);
    if (first) chosen.set(first.id, first);
  }
  return [...chosen.values()];
}
