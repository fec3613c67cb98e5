import { actorOfCall } from "../../../../kernel/actor.ts";
import type { CallContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { concurrencyFull, runAlreadyOpen, workflowNotLive } from "../../errors.ts";
import { runStarted } from "../../events.ts";
import { StartWorkflowRunBody, WorkflowRun } from "../../schemas.ts";
import { findLiveVersion, inputFaults, type RunnableVersion } from "../../versions/live.ts";
import { exampleRun } from "../example.ts";
import { WorkflowParams } from "../stages.ts";
import { startRun as start } from "../start.ts";
import { readRunView } from "../view.ts";

interface Loaded {
  readonly workflow: string;
  readonly live: RunnableVersion | null;
  readonly agents: readonly string[];
}

function liveOf(ctx: CallContext, { workflow, live }: Loaded): RunnableVersion {
  if (live) return live;
  throw refuse(workflowNotLive, `${workflow} has no version that is live in ${ctx.scope.environment}.`);
}

export const startRun = defineOperation({
  id: "workflows.startRun",
  method: "POST",
  path: "/v1/workflows/{workflow}/runs",
  status: 202,
  listed: true,
  summary: "Run a workflow",
  description:
    "Starts a run of the version that is live in the environment and answers at once. The run keeps that version, and those of its sub-workflows, whatever is published " +
    "later. With an Idempotency-Key the call can be repeated: it starts one run. A workflow with `key` has one open run per business key; with `concurrency`, a run beyond the limit " +
    "is queued, refused, or replaces the oldest, as the file says.",
  params: WorkflowParams,
  body: StartWorkflowRunBody,
  output: WorkflowRun,
  example: {
    params: { workflow: "refund" },
    body: { input: { order_id: "or_2001", message: "It arrived broken." } },
    output: { ...exampleRun, status: "queued", started_at: null },
  },
  location: ({ workflow, run_id }) => `/v1/workflows/${workflow}/runs/${run_id}`,
  permission: "workflows:run",
  load: async (ctx, { workflow }): Promise<Loaded | undefined> => {
    const found = await findLiveVersion(ctx, workflow);
    return found && { ...found, agents: found.live?.agents ?? [] };
  },
  validate: (_ctx, { loaded: { live }, body }) => [
    ...(live ? inputFaults(live.plan, body.input ?? {}) : []).map((fault) => ({
      ...fault,
      pointer: `/input${fault.pointer ?? ""}`,
    })),
    ...(body.key !== undefined && live?.plan.definition.key !== undefined
      ? [{ pointer: "/key", code: "computed", detail: "the workflow computes its key from the input; leave it out" }]
      : []),
  ],
  gate: (ctx, { loaded }: { loaded: Loaded }) =>
    liveOf(ctx, loaded).agents.flatMap((agent) => {
      const live = findKnownAgent(ctx, agent)?.live;
      return live ? [{ agent, versionId: live.id, asksLater: true as const }] : [];
    }),
  decides: "run_input",
  compliance: governs("workflow.run", (_ctx, { body }: { body: StartWorkflowRunBody }) => ({
    input: body.input ?? {},
  })),
  audit: ({ params, output }) => (output ? `run:${output.run_id}` : `workflow:${params.workflow}`),
  emits: [runStarted],
  errors: [workflowNotLive, runAlreadyOpen, concurrencyFull],
  async handle(ctx, { loaded, body }) {
    const row = await start(ctx, actorOfCall(ctx), {
      version: liveOf(ctx, loaded),
      input: body.input ?? {},
      trigger: "manual",
      key: body.key ?? null,
      labels: body.labels ?? [],
    });
    return readRunView(ctx, row);
  },
});
