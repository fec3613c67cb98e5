import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { AgentBundle } from "../agents/public.ts";
import type { ToolDefinition } from "../agents/schemas.ts";
import type { WorkflowDefinition } from "../workflows/schemas.ts";
import type { BundleContents } from "./contents.ts";
import { agentPermissions, basesOf, dataPermissions, knowledgePermissions, reachOfAgent } from "./permission-agent.ts";
import { policyPermissions } from "./permission-policies.ts";
import { reachOfTool, reachPermissions, toolPermission } from "./permission-tools.ts";
import { workflowPermissions } from "./permission-workflow.ts";
import type { ListingPermission, PermissionDifference } from "./words.ts";

const kinds = ["tool", "address", "connection", "model", "data", "knowledge", "budget", "trigger", "policy"] as const;

/** What a bundle asks for, in a stable order: by kind, then by id. It depends on what the files say, not on their order. */
export function permissionsOf({ agent, tools, workflow, bases, policies }: BundleContents): ListingPermission[] {
  const asAgent = agent as AgentBundle | null;
  const own = tools as unknown as readonly ToolDefinition[];
  const asked = [
    ...(asAgent ? agentPermissions(asAgent, bases) : []),
    ...own.map((tool) => toolPermission(tool, [])),
    ...dataPermissions(own.map(({ name, impact }) => ({ name, data: impact?.data ?? "public" }))),
    ...knowledgePermissions(own.flatMap(basesOf), asAgent ? [] : bases),
    ...reachPermissions([
      ...(asAgent ? reachOfAgent(asAgent) : []),
      ...own.map(reachOfTool).filter((one) => one !== undefined),
    ]),
    ...(workflow ? workflowPermissions(workflow as unknown as WorkflowDefinition) : []),
    ...policyPermissions(policies),
  ];
  const rank = ({ kind }: ListingPermission): number => kinds.indexOf(kind);
  return asked.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}

type Ask = Pick<ListingPermission, "id" | "kind" | "value">;
const askOf = ({ id, kind, value }: ListingPermission): Ask => ({ id, kind, value });

/** What stands as `permissions` in `bundle.json`. */
export const asksOf = (permissions: readonly ListingPermission[]): { asks: Ask[] } => ({
  asks: permissions.map(askOf),
});

/** SHA-256, in hexadecimal, of id, kind and value of all permissions: wording may change, what is asked for may not. */
export function permissionsDigest(permissions: readonly ListingPermission[]): string {
  const asks = permissions.map(askOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  return createHash("sha256").update(canonicalJson(asks)).digest("hex");
}

/** What changed between two versions. */
export function permissionDifference(
  before: readonly ListingPermission[],
  after: readonly ListingPermission[],
): PermissionDifference {
  const had = new Map(before.map((one) => [one.id, one]));
  const has = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((one) => {
    const earlier = had.get(one.id);
    return earlier && canonicalJson(askOf(earlier)) !== canonicalJson(askOf(one))
      ? [{ before: earlier, after: one }]
      : [];
  });
  return { added: after.filter(({ id }) => !had.has(id)), removed: before.filter(({ id }) => !has.has(id)), changed };
}
