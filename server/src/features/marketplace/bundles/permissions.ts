import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { AgentBundle } from "../../agents/public.ts";
import type { ToolDefinition } from "../../agents/schemas.ts";
import type { PolicyBody } from "../../governance/schemas.ts";
import type { WorkflowDefinition } from "../../workflows/schemas.ts";
import type { ListingPermission, PermissionDifference } from "../schema-words.ts";
import type { BundleContents } from "./contents.ts";
import { agentPermissions, basesOf, dataPermissions, knowledgePermissions, reachOfAgent } from "./permission-agent.ts";
import { listed, plain, reachOfTool, reachPermissions, said, sortedNames, toolPermission } from "./permission-tools.ts";
import { workflowPermissions } from "./permission-workflow.ts";

const effects: Readonly<Record<PolicyBody["effect"], string>> = {
  deny: "refuses",
  require_approval: "has people approve",
  redact: "replaces personal data in",
  limit: "bounds",
  notify: "reports",
  tag: "tags",
};

/** Policies decide nothing until somebody activates them. */
const policyPermissions = (policies: BundleContents["policies"]): ListingPermission[] =>
  policies.map(({ file, policy }) => {
    const { name, effect, when, scope = {}, params = {} } = policy as unknown as PolicyBody;
    const [actions, agents] = [scope.actions && sortedNames(scope.actions), scope.agents && sortedNames(scope.agents)];
    const reach = `${actions ? listed(actions) : "all actions"} of ${agents ? listed(agents) : "all agents"}`;
    return {
      id: `policy:${file.slice("policies/".length, -".json".length)}`,
      kind: "policy",
      level: agents ? "low" : "elevated",
      text: `Brings the policy "${plain(name)}" as a draft. Once activated, it ${effects[effect]} ${reach}.`,
      value: said({ name, effect, when, actions, agents, params }),
    };
  });

const kinds = ["tool", "address", "connection", "model", "data", "knowledge", "budget", "trigger", "policy"] as const;

/** Sorted by kind, then by id, so that the order of the files does not matter. */
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

/** The member `permissions` of `bundle.json`. */
export const asksOf = (permissions: readonly ListingPermission[]): { asks: Ask[] } => ({
  asks: permissions.map(askOf),
});

/** SHA-256, in hexadecimal, of id, kind and value of all permissions: their wording may change. */
export function permissionsDigest(permissions: readonly ListingPermission[]): string {
  const asks = permissions.map(askOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  return createHash("sha256").update(canonicalJson(asks)).digest("hex");
}

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
