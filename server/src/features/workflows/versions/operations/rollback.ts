import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleRelease } from "../../definitions/example.ts";
import { findOwnWorkflow, lockWorkflow } from "../../definitions/store.ts";
import { noEarlierVersion, workflowArchived } from "../../errors.ts";
import { RollBackWorkflowBody, WorkflowName, WorkflowRelease } from "../../schemas.ts";
import { lookOf, switchTriggers, triggerNotPossible } from "../../triggers/effects.ts";
import { lookOrDecide, whoIsLeft } from "../deciders.ts";
import { releaseView, rollbackTarget } from "../rules.ts";
import { findVersion, listReleases, release, type VersionRow, versionAgents } from "../store.ts";

export const rollback = defineOperation({
  id: "workflows.rollback",
  method: "POST",
  path: "/v1/workflows/{workflow}/rollback",
  summary: "Roll back to the version before",
  description:
    "One call back to the version that was live before in the environment of the key, passing over those that earlier rollbacks left, or to the one that `to` names; its triggers come " +
    "back with it. Runs that are under way stay on their version. The gate is not asked: what worked before is at hand, and each step passes it.",
  params: Type.Object({ workflow: WorkflowName }),
  body: RollBackWorkflowBody,
  output: WorkflowRelease,
  example: {
    params: { workflow: "refund" },
    body: { reason: "Asks people about every refund." },
    output: { ...exampleRelease, number: 1, kind: "rollback", previous_version: 2 },
  },
  permission: "workflows:write",
  load: loadReleased,
  gate: exempt("goes back to what was live; each step asks the gate itself"),
  decides: "workflow_version",
  compliance: governs("workflow.publish"),
  audit: ({ params, output }) => (output ? `release:${output.release_id}` : `workflow:${params.workflow}`),
  errors: [workflowArchived, noEarlierVersion, triggerNotPossible],
  async handle(ctx, { loaded: { name }, body: { reason, to } }) {
    const { archived_at } = await lockWorkflow(ctx, name);
    if (archived_at !== null) throw refuse(workflowArchived, `${name} is archived; nothing of it is live any more.`);
    const [live = null, ...ended] = await listReleases(ctx, name);
    const target =
      to === undefined
        ? rollbackTarget(live ? [live, ...ended] : ended)
        : ended.find((one) => one.version_number === to)?.version_number;
    if (live === null || target === undefined || target === live.version_number)
      throw refuse(noEarlierVersion, whyNot(name, ctx.scope.environment, live?.version_number, to));
    const version = (await findVersion(ctx, name, target)) as VersionRow;
    const deciders = await lookOrDecide(ctx, version, to !== undefined);
    const id = await release(ctx, { workflow: name, version: target, kind: "rollback", note: reason, deciders });
    await switchTriggers(ctx, name, version, lookOf(deciders, to !== undefined));
    const findings = await whoIsLeft(ctx, version);
    return releaseView(version, { id, kind: "rollback", previous: live.version_number, findings });
  },
});

/** A key that is narrowed to agents may roll back if every version names only its agents. */
async function loadReleased(ctx: ReadContext, { workflow }: { workflow: string }) {
  const row = await findOwnWorkflow(ctx, workflow);
  if (!row) return undefined;
  return { ...row, agents: [...row.agents, ...[...(await versionAgents(ctx, row.name)).values()].flat()] };
}

function whyNot(name: string, environment: string, live: number | undefined, to: number | undefined): string {
  if (live === undefined) return `No version of ${name} is live in ${environment}.`;
  if (to === live) return `Version ${to} of ${name} is the one that is live in ${environment}.`;
  if (to !== undefined) return `Version ${to} of ${name} has never been live in ${environment}.`;
  return `No other version of ${name} was live in ${environment} that a rollback has not left already.`;
}
