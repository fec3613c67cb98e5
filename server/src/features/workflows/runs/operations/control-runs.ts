import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { BulkWorkflowRunsBody, BulkWorkflowRunsResult, type ControlledWorkflowRun } from "../../schemas.ts";
import { exampleRun } from "../example.ts";
import { controlRun } from "./control-run.ts";

export const controlRuns = defineBatch({
  id: "workflows.controlRuns",
  path: "/v1/workflows/runs/bulk",
  summary: "Cancel, retry or replay many runs",
  description:
    "Each run is a call of its own: judged by itself, recorded by itself, and done or refused without regard to the others. With `dry_run=true` nothing is done, and each item " +
    "says what it would come to.",
  body: BulkWorkflowRunsBody,
  output: BulkWorkflowRunsResult,
  example: {
    body: { action: "retry", runs: [exampleRun.run_id] },
    output: {
      results: [
        {
          run_id: exampleRun.run_id,
          status: 202,
          audit_ref: exampleRun.audit_ref,
          run: { ...exampleRun, status: "running", changes: [{ step: "judge", change: "run_again" }] },
        },
      ],
      succeeded: 1,
      failed: 0,
    },
  },
  permission: "workflows:run",
  load: exempt("each item names its own run"),
  narrowing: limitedTo("each item is a call of its own, held to the agents that its run uses"),
  gate: exempt("each step passes the gate of its agent when it begins"),
  decides: "run_input",
  compliance: governs("workflow.control"),
  audit: "runs",
  async handle(ctx, { body }) {
    const { action, runs, compensate, reason } = body;
    const asked = {
      action: action === "retry" ? "retry_from" : action,
      ...(action === "cancel" && compensate !== undefined && { compensate }),
      ...(reason !== undefined && { reason }),
    };
    const calls = runs.map(async (run_id, index) => {
      const outcome = await ctx.call(controlRun, { params: { workflow: "-", run: run_id }, body: asked, index });
      const { status, auditRef: audit_ref } = outcome;
      return status < 300
        ? { run_id, status, audit_ref, run: outcome.body as ControlledWorkflowRun }
        : { run_id, status, audit_ref, problem: outcome.body as Record<string, unknown> };
    });
    const results = await Promise.all(calls);
    const succeeded = results.filter(({ status }) => status < 300).length;
    return { succeeded, failed: results.length - succeeded, results };
  },
});
