import type { ListingPermission } from "../../api/marketplace.ts";

type Permissions = readonly ListingPermission[];

/** What a bundle cannot reach, as opposed to what it does not ask for. */
export function outOfReach(kind: string, permissions: Permissions): readonly string[] {
  const of = (one: ListingPermission["kind"]): Permissions =>
    permissions.filter((permission) => permission.kind === one);
  const byItself = of("trigger").length > 0 ? [] : ["It does not start by itself: people or programs give it work."];
  if (kind === "workflow") return [throughOthers(of("tool")), ...byItself];
  if (kind !== "agent" && kind !== "tool_set") return ["It holds nothing that runs, and reaches nothing by itself."];
  const otherModel = of("model").some(({ value }) => value.provider !== "builtin");
  const outside = of("address").length > 0 || otherModel;
  return [
    ...(outside ? [] : ["No address outside this installation: what it reads stays here."]),
    ...unchanged(of("tool")),
    ...(of("connection").length > 0 ? [] : ["None of your connections, and so no password or key of yours."]),
    ...unread(of("knowledge")),
    ...(kind === "agent" ? byItself : []),
  ];
}

const throughOthers = (tools: Permissions): string =>
  tools.length === 0
    ? "None of your agents, tools and workflows."
    : "Nothing but through the agents, tools and workflows named above, which keep their own limits.";

function unchanged(tools: Permissions): readonly string[] {
  if (tools.length === 0) return ["No tools: it changes nothing in other systems."];
  return tools.some(({ value }) => value.effect !== "read") ? [] : ["Its tools only read: it changes nothing."];
}

/** Bases that come along are its own; of others it reads the installer's. */
function unread(knowledge: Permissions): readonly string[] {
  if (knowledge.some(({ value }) => typeof value.documents !== "number")) return [];
  return [
    knowledge.length === 0 ? "None of your knowledge bases." : "None of your knowledge bases but those that it brings.",
  ];
}
