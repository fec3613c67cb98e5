import { createHash } from "node:crypto";
import { betaQuantile } from "@aos/statistics";
import { canonicalJson } from "@aos/strict-json";
import { planOf, type WorkflowDefinition } from "@aos/workflow";
import type { WorkflowFinding as Finding, Workflow, WorkflowSuccessRate, WorkflowSummary } from "./schemas.ts";
import type { WorkflowRow } from "./store.ts";

/** SHA-256 (lower-case hex) of a definition's canonical JSON. */
export const digestOf = (definition: object): string =>
  createHash("sha256").update(canonicalJson(definition)).digest("hex");

/** Agents that a definition names, in alphabetical order. */
export function agentsOf(definition: WorkflowDefinition): string[] {
  const named = planOf(definition).steps.flatMap(({ step: { agent, tool, approval, compensate } }) => [
    agent?.name,
    tool?.agent,
    approval?.agent,
    compensate?.agent?.name,
    compensate?.tool?.agent,
  ]);
  return [...new Set(named.filter((name) => name !== undefined))].sort();
}

/** The share of runs that completed, with its 95 % interval (Jeffreys); null if no run has ended. */
function successRate({ ended, completed }: Pick<WorkflowRow, "ended" | "completed">): WorkflowSuccessRate | null {
  if (ended === 0) return null;
  const [a, b] = [completed + 0.5, ended - completed + 0.5];
  return {
    rate: completed / ended,
    low: completed === 0 ? 0 : betaQuantile(0.025, a, b),
    high: completed === ended ? 1 : betaQuantile(0.975, a, b),
    runs: ended,
  };
}

export function summaryView(row: WorkflowRow): WorkflowSummary {
  const { last_run_id, last_run_status, last_run_at } = row;
  const hasRun = last_run_id !== null && last_run_status !== null && last_run_at !== null;
  return {
    name: row.name,
    description: row.description,
    owner: row.owner,
    status: row.archived_at !== null ? "archived" : row.live_version === null ? "draft" : "live",
    live_version: row.live_version,
    latest_version: row.latest_version,
    paused: row.paused_at !== null,
    success_rate: successRate(row),
    last_run: hasRun ? { run_id: last_run_id, status: last_run_status, created_at: last_run_at.toISOString() } : null,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function workflowView(row: WorkflowRow, findings: readonly Finding[]): Workflow {
  const { draft, source } = row;
  const because = (reason: string | null, since: Date | null, by: string | null) =>
    reason === null || since === null || by === null ? null : { reason, since: since.toISOString(), by };
  return {
    ...summaryView(row),
    draft,
    ...(source !== null && { source }),
    version: null,
    findings: [...findings],
    pause: because(row.pause_reason, row.paused_at, row.paused_by),
    archived: because(row.archived_for, row.archived_at, row.archived_by),
  };
}

export const workflowRevision = ({ revision }: { readonly revision: number }): number => revision;
