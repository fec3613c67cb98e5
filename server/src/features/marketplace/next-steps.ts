import { presentConnections } from "../admin/public.ts";
import type { BundleContents } from "./contents.ts";
import type { InstallPart, NextStep } from "./install-schemas.ts";
import { type InstallRow, partsOf, type StoredPart } from "./install-store.ts";
import type { Looking } from "./names.ts";
import { stepOf } from "./next-step.ts";
import { agentSteps } from "./next-steps-agent.ts";
import { activateStep } from "./next-steps-policy.ts";
import { isJudgedBy, isReleased, type PolicyProgress, readPolicies } from "./progress-store.ts";

type Part = StoredPart & Pick<InstallPart, "kind">;

/** What is left to do until an install works, in the order in which it is done. */
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
      ...{ step: "connect", done: present.has(name), params: { connection: name } },
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

/** Steps of bundles that bring no agent. */
async function otherSteps(ctx: Looking, { agent }: InstallRow, parts: readonly Part[]): Promise<NextStep[]> {
  const steps: NextStep[] = [];
  const named = (kind: Part["kind"]) => parts.filter((part) => part.kind === kind).map(({ name }) => name);
  for (const workflow of named("workflow"))
    steps.push(
      stepOf({
        ...{ step: "deploy", title: `Publish ${workflow}`, done: await isReleased(ctx, workflow) },
        ...{ operation: "workflows.publishWorkflow", params: { workflow } },
      }),
    );
  const tools = named("tool");
  if (tools.length > 0)
    steps.push(
      stepOf({
        ...{ step: "deploy", done: false },
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
        ...{ step: "gate", done: await isJudgedBy(ctx, scorers) },
        title: `Name ${scorers.join(", ")} in the gate of an agent`,
      }),
    );
  return steps;
}
