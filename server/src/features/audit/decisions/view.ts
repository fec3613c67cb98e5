import { isoTime } from "../../../kernel/clock.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { AuditEvent, DecisionRecord } from "../schemas.ts";
import type { DecisionApprovalRow, DecisionCallRow, DecisionTask } from "./store.ts";

const approvalJson = storedJson<{ reasons: string[] }>();

/** Stages that decided something: all but a plain pass without a policy. */
export function verdictsOf(records: readonly AuditEvent[]): DecisionRecord["verdicts"] {
  return records.flatMap(({ audit_ref, action, stages }) =>
    stages
      .filter(
        ({ stage, verdict, policy_version }) =>
          stage !== "audit" && (policy_version !== null || verdict === "deny" || verdict === "require_approval"),
      )
      .map((one) => ({ audit_ref, action, ...one })),
  );
}

/** What people did to approvals: calls of that group that changed something. */
export function votesOf(records: readonly AuditEvent[]): DecisionRecord["votes"] {
  return records
    .filter(
      ({ action, decision, actor }) =>
        action.startsWith("approvals.") &&
        !/\.(read|list)/.test(action) &&
        decision === "allowed" &&
        !actor.startsWith("system:"),
    )
    .map(({ audit_ref, approval_id, action, actor, key_id, time }) => ({
      audit_ref,
      approval_id,
      action,
      actor,
      key_id,
      time,
    }));
}

export const approvalView = (row: DecisionApprovalRow): DecisionRecord["approvals"][number] => ({
  approval_id: row.approval_id,
  tool: row.tool,
  status: row.status,
  reasons: approvalJson(row, "reasons"),
  requested_at: isoTime(row.requested_at),
  decided_at: isoTime(row.decided_at),
});

export const callView = ({ started_at, finished_at, ...row }: DecisionCallRow): DecisionRecord["calls"][number] => ({
  step_id: row.step_id,
  kind: row.kind,
  name: row.name,
  state: row.state,
  cost_usd: row.cost_usd,
  started_at: isoTime(started_at),
  finished_at: isoTime(finished_at),
});

/** The task's own part of the record. `dispatched`: the record of its dispatch, where it is among those that are listed. */
export function taskView(row: DecisionTask, dispatched: AuditEvent | undefined) {
  return {
    task_id: row.id,
    agent: row.agent,
    skill: row.skill,
    status: row.status,
    requested_by: row.principal,
    key_id: row.key_id,
    created_at: isoTime(row.created_at),
    finished_at: isoTime(row.finished_at),
    version: {
      version_id: row.version_id,
      number: row.version_number,
      model: [row.provider, row.model].filter((part) => part !== null).join(" "),
      tools: [...row.tools],
      digest: row.digest,
    },
    trust: { at_dispatch: dispatched?.trust_score ?? null, now: row.trust_score },
    risk_level: row.risk_level,
    cost_usd: row.cost_usd,
  };
}
