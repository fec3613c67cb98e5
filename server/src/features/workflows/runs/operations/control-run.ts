import type { Fault } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskCancelled } from "../../../tasks/public.ts";
import { concurrencyFull, migrationRefused, runAlreadyOpen, writesNotAcknowledged } from "../../errors.ts";
import { runStarted } from "../../events.ts";
import { ControlledWorkflowRun, WorkflowRunControl } from "../../schemas.ts";
import { controlRun as control } from "../control.ts";
import { exampleRun } from "../example.ts";
import { runJson } from "../rules.ts";
import { aboutRun, type LoadedRun, loadRun, RunParams } from "../stages.ts";

/** What each action takes besides a reason. */
const takes: Readonly<Record<string, readonly string[]>> = {
  cancel: ["compensate"],
  replay: ["acknowledge"],
  retry_from: ["step", "input", "acknowledge", "preview"],
  skip: ["step", "output", "acknowledge", "preview"],
  migrate: ["version", "preview"],
};

function controlFaults(body: WorkflowRunControl): Fault[] {
  const { action, reason: _any, ...given } = body;
  if (action === undefined) return []; // refused for its form
  const faults = Object.keys(given)
    .filter((name) => !takes[action]?.includes(name))
    .map((name) => ({
      pointer: `/${name}`,
      code: "not_allowed",
      detail: `says nothing with the action ${action}; leave it out`,
    }));
  if (action !== "skip" || body.step !== undefined) return faults;
  return [...faults, { pointer: "/step", code: "required", detail: "is required: the step to go on without" }];
}

export const controlRun = defineOperation({
  id: "workflows.controlRun",
  method: "POST",
  path: "/v1/workflows/{workflow}/runs/{run}/control",
  status: 202,
  listed: true,
  summary: "Cancel, pause, resume, retry, skip or migrate a run",
  description:
    "Steps before the one that is done again stand, with the approvals that people gave; later approvals are requested again. " +
    "With `preview` the answer shows in `changes` what would be done again, skipped, or is different in the other version.",
  params: RunParams,
  body: WorkflowRunControl,
  output: ControlledWorkflowRun,
  example: {
    params: { workflow: exampleRun.workflow, run: exampleRun.run_id },
    body: { action: "retry_from", step: "judge", input: { message: "It arrived broken, and late." } },
    output: { ...exampleRun, status: "running", changes: [{ step: "judge", change: "run_again" }] },
  },
  location: ({ workflow, run_id }) => `/v1/workflows/${workflow}/runs/${run_id}`,
  permission: "workflows:run",
  load: loadRun,
  validate: (_ctx, { body }) => controlFaults(body),
  gate: exempt("each step passes the gate of its agent when it begins"),
  decides: ["run_input", "workflow_version"],
  compliance: governs("workflow.control", (_ctx, _given: { loaded: LoadedRun; body: WorkflowRunControl }) => ({}), {
    proposes: (_ctx, { loaded, body }) =>
      body.action === "replay"
        ? { action: "workflow.run", facts: { input: runJson(loaded.run, "input") as Record<string, unknown> } }
        : null,
  }),
  audit: aboutRun,
  emits: [runStarted, taskCancelled],
  errors: [conflict, writesNotAcknowledged, migrationRefused, runAlreadyOpen, concurrencyFull],
  handle: (ctx, { loaded, body }) => control(ctx, loaded, body),
});
