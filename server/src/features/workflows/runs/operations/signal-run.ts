import { isRunOver, type Plan, type RunStatus } from "@aos/workflow";
import { decidersOf } from "../../../../kernel/actor.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { runSignalled } from "../../hooks/events.ts";
import { awaitedBy, isCatalogueType } from "../../triggers/matching.ts";
import { RunSignal, SignalRunBody } from "../../triggers/schemas.ts";
import { aboutRun, loadRun, RunParams } from "../stages.ts";
import { isAwaited } from "../wait-store.ts";

export const signalRun = defineOperation({
  id: "workflows.signalRun",
  method: "POST",
  path: "/v1/workflows/{workflow}/runs/{run}/signal",
  status: 202,
  summary: "Give a run an event that it waits for",
  description:
    "The event is for this run alone: the step that waits for its type takes it if its `where` holds, within about a second; if none waits yet, the step that will takes it once it begins. " +
    "What the service itself publishes cannot be given so, such as `task.completed`.",
  params: RunParams,
  body: SignalRunBody,
  output: RunSignal,
  example: {
    params: { workflow: "refund", run: "wfr_01jd8x0000000000000000000r" },
    body: { event: "bank.settled", data: { refund: "rf_1" } },
    output: { run_id: "wfr_01jd8x0000000000000000000r", event: "bank.settled", awaited: true },
  },
  location: ({ run_id }) => `/v1/workflows/-/runs/${run_id}`,
  permission: "workflows:run",
  load: loadRun,
  validate: (_ctx, { body: { event }, loaded: { plan } }) => eventFaults(plan, event),
  gate: exempt("ends a wait; each step that follows passes the gate of its agent"),
  decides: "signal",
  compliance: governs("workflow.control"),
  audit: aboutRun,
  emits: [runSignalled],
  errors: [conflict],
  async handle(ctx, { loaded: { run }, body: { event, data = {} } }) {
    if (isRunOver(run.status as RunStatus)) throw refuse(conflict, `The run is ${run.status}; it waits for nothing.`);
    const signal = { run_id: run.id, workflow: run.workflow, type: event, data };
    ctx.emit(runSignalled, signal, undefined, decidersOf(ctx, "signalled", `run:${run.id}`));
    return { run_id: run.id, event, awaited: await isAwaited(ctx, run.id, event) };
  },
});

function eventFaults(plan: Plan, event: string): Fault[] {
  const fault = (code: string, detail: string): Fault[] => [{ pointer: "/event", code, detail }];
  if (isCatalogueType(event))
    return fault("reserved", `${event} is an event that only the service itself publishes; skip the step instead`);
  const waits = plan.steps.flatMap(({ step }) => awaitedBy(step.wait ?? {}).map((one) => one.event));
  const types = [...new Set(waits)].filter((type) => !isCatalogueType(type));
  if (types.includes(event)) return [];
  return fault("not_awaited", `is awaited by no step; the workflow waits for ${types.join(", ") || "no such event"}`);
}
