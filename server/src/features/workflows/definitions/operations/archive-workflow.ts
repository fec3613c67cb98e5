import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { workflowArchived } from "../../errors.ts";
import { ArchivedWorkflow, ArchiveWorkflowBody, WorkflowName } from "../../schemas.ts";
import { lockTriggers, removeTriggers } from "../../triggers/store.ts";
import { endRelease, listLiveElsewhere } from "../../versions/store.ts";
import { findingsOfRow } from "../checks.ts";
import { exampleWorkflow } from "../example.ts";
import { workflowRevision, workflowView } from "../rules.ts";
import { findOwnWorkflow, lockWorkflow, setArchived, type WorkflowRow } from "../store.ts";

export const archiveWorkflow = defineOperation({
  id: "workflows.archiveWorkflow",
  method: "DELETE",
  path: "/v1/workflows/{workflow}",
  summary: "Archive a workflow",
  description:
    "Takes the workflow out of service: what is live of it in the environment of the key ends, its triggers there are removed, and no further run starts; open runs go on. While it is " +
    "live in other environments, `live_elsewhere` names them and the workflow is not archived yet: archive it there as well. Draft, versions, runs and the audit trail stay.",
  params: Type.Object({ workflow: WorkflowName }),
  body: ArchiveWorkflowBody,
  output: ArchivedWorkflow,
  example: {
    params: { workflow: "refund" },
    body: { reason: "Refunds are judged elsewhere." },
    output: {
      ...exampleWorkflow,
      status: "archived",
      live_version: null,
      revision: 5,
      archived: {
        reason: "Refunds are judged elsewhere.",
        since: "2026-11-20T10:00:00.000Z",
        by: exampleWorkflow.owner,
      },
      environment: "production",
      live_elsewhere: [],
    },
  },
  revision: workflowRevision,
  revisionOfPart: true,
  permission: "workflows:write",
  load: (ctx, { workflow }) => findOwnWorkflow(ctx, workflow),
  gate: exempt("ends work"),
  decides: exempt("stops a workflow; its reason is for people"),
  compliance: governs("workflow.change"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  errors: [workflowArchived],
  async handle(ctx, { loaded: { name }, body: { reason } }) {
    const { archived_at } = await lockWorkflow(ctx, name);
    if (archived_at !== null) throw refuse(workflowArchived, `${name} was archived at ${archived_at.toISOString()}.`);
    await endRelease(ctx, name);
    const triggers = await lockTriggers(ctx, name);
    await removeTriggers(
      ctx,
      triggers.map(({ id }) => id),
    );
    const live_elsewhere = await listLiveElsewhere(ctx, name);
    // Live elsewhere, its own row stays as it is, and what is live of it here is not.
    const row =
      live_elsewhere.length === 0
        ? await setArchived(ctx, name, reason)
        : ((await findOwnWorkflow(ctx, name)) as WorkflowRow);
    return { ...workflowView(row, await findingsOfRow(ctx, row)), environment: ctx.scope.environment, live_elsewhere };
  },
});
