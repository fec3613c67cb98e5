import { slices } from "../features/index.ts";

/** The groups of the interface with what they are about, in alphabetical order: the slices, but for those that only machines call. */
export const groups: readonly { readonly name: string; readonly description: string }[] = slices.flatMap(
  ({ name, slice: { about } }) => (about === undefined ? [] : [{ name, description: about }]),
);

/** The group of an operation: the part of its id before the dot. */
export function groupOf(operationId: string): string {
  return operationId.slice(0, operationId.indexOf("."));
}
