import type { ListingPermission } from "../../api/marketplace.ts";

/** What a bundle cannot reach, told from what it does not ask for. */
export function outOfReach(kind: string, permissions: readonly ListingPermission[]): readonly string[] {
  if (!["agent", "workflow", "tool_set"].includes(kind))
    return ["It holds nothing that runs, and reaches nothing by itself."];
  const asks = (one: ListingPermission["kind"]): boolean => permissions.some((permission) => permission.kind === one);
  const otherModel = permissions.some(({ kind: of, value }) => of === "model" && value.provider !== "builtin");
  return [
    ...(asks("address") || otherModel ? [] : ["No address outside this installation: what it reads stays here."]),
    ...(asks("tool") ? [] : ["No tools: it changes nothing in other systems."]),
    ...(asks("connection") ? [] : ["None of your connections, and so no password or key of yours."]),
    ...(asks("knowledge") ? [] : ["None of your knowledge bases."]),
    ...(asks("trigger") ? [] : ["It does not start by itself: people or programs give it work."]),
  ];
}
