import { isoTime } from "../../../kernel/clock.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { DecisionRecord } from "../schemas.ts";
import type { DecisionApprovalRow, DecisionCallRow, DecisionTask } from "./store.ts";

const approvalJson = storedJson<{ reasons: string[] }>();

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

/** The task's own part of the record. */
export function taskView(row: DecisionTask, trustAtDispatch: number | null) {
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
    trust: { at_dispatch: trustAtDispatch, now: row.trust_score },
    risk_level: row.risk_level,
    cost_usd: row.cost_usd,
  };
}
