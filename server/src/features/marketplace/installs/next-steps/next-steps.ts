import { isoTime } from "../../../../kernel/clock.ts";
import { strongEtag } from "../../../../kernel/etag.ts";
import { presentConnections } from "../../../admin/public.ts";
import type { BundleContents } from "../../bundles/contents.ts";
import type { Looking } from "../plan/names.ts";
import type { InstallPart, NextStep } from "../schemas.ts";
import { type InstallRow, partsOf, type StoredPart } from "../store.ts";
import { agentSteps, stepOf } from "./agent-steps.ts";
import { isJudgedBy, isReleased, type PolicyProgress, readPolicies } from "./progress-store.ts";

/** Puts the policy's newest version in force. */
function activateStep(policy: PolicyProgress): NextStep {
  return {
    step: "activate",
    title: `Activate the policy ${policy.name}`,
    done: policy.state === "active",
    operation: "governance.replacePolicy",
    params: { policy: policy.id },
    body: { ...policyText(policy), state: "active", note: "Activated as installed." },
    if_match: strongEtag(policy.version, "json"),
  };
}

/** As a body has it. */
function policyText({ name, definition, effective_from, effective_until }: PolicyProgress): Record<string, unknown> {
  const members = ["scope", "when", "effect", "params", "reason_code", "message", "controls"];
  const said = members.flatMap((member): [string, unknown][] => {
    const value = definition[member];
    const none = value === undefined || value === null || isEmpty(value);
    return none ? [] : [[member, value]];
  });
  return {
    name,
    ...Object.fromEntries(said),
    ...(effective_from && { effective_from: isoTime(effective_from) }),
    ...(effective_until && { effective_until: isoTime(effective_until) }),
  };
}

const isEmpty = (value: unknown): boolean => typeof value === "object" && Object.keys(value as object).length === 0;

type Part = StoredPart & Pick<InstallPart, "kind">;

/** The steps until an install works, in their order. */
export async function readNextSteps(ctx: Looking, row: InstallRow, contents: BundleContents): Promise<NextStep[]> {
  const parts = partsOf(row).filter(({ state }) => state === "made" || state === "kept");
  const connect = await connectSteps(ctx, contents);
  const activate = await activateSteps(ctx, parts);
  if (contents.agent && row.agent) return agentSteps(ctx, { row, parts, contents }, connect, activate);
  return [...connect, ...activate, ...(await otherSteps(ctx, row, parts))];
}

async function connectSteps(ctx: Looking, { manifest: { requires } }: BundleContents): Promise<NextStep[]> {
  const present = await presentConnections(ctx, requires.connections);
  return requires.connections.map((name) =>
    stepOf({
      step: "connect",
      done: present.has(name),
      params: { connection: name },
      title: `Add the connection ${name} to ${ctx.scope.environment}: an admin gives its address and credentials`,
    }),
  );
}

async function activateSteps(ctx: Looking, parts: readonly Part[]): Promise<NextStep[]> {
  const ids = parts.flatMap(({ kind, id }) => (kind === "policy" && id ? [id] : []));
  const policies = await readPolicies(ctx, ids);
  return ids.flatMap((id) => {
    const policy = policies.get(id);
    return policy && policy.state !== "retired" ? [activateStep(policy as PolicyProgress)] : [];
  });
}

/** For bundles without an agent. */
async function otherSteps(ctx: Looking, { agent }: InstallRow, parts: readonly Part[]): Promise<NextStep[]> {
  const steps: NextStep[] = [];
  const named = (kind: Part["kind"]) => parts.filter((part) => part.kind === kind).map(({ name }) => name);
  for (const workflow of named("workflow"))
    steps.push(
      stepOf({
        step: "deploy",
        title: `Publish ${workflow}`,
        done: await isReleased(ctx, workflow),
        operation: "workflows.publishWorkflow",
        params: { workflow },
      }),
    );
  const tools = named("tool");
  if (tools.length > 0)
    steps.push(
      stepOf({
        step: "deploy",
        done: false,
        title: `Say which skills of ${agent} may call ${tools.join(", ")}, then freeze, measure and deploy a version`,
      }),
    );
  const datasets = named("dataset");
  if (datasets.length > 0)
    steps.push(
      stepOf({ step: "measure", done: false, title: `Run ${datasets.join(", ")} against a version of ${agent}` }),
    );
  const scorers = named("scorer");
  if (scorers.length > 0)
    steps.push(
      stepOf({
        step: "gate",
        done: await isJudgedBy(ctx, scorers),
        title: `Name ${scorers.join(", ")} in the gate of an agent`,
      }),
    );
  return steps;
}
