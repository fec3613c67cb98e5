import type { AuditRecord } from "./record.ts";

/** What a stage decided about a call, as a task's decision record lists it. */
export interface DecisionVerdict {
  readonly audit_ref: string;
  readonly action: string;
  readonly stage: string;
  readonly verdict: string;
  readonly reasons: string[];
  readonly policy_version: string | null;
}

/** What a person did to an approval, as a task's decision record lists it. */
export interface DecisionVote {
  readonly audit_ref: string;
  readonly approval_id: string | null;
  readonly action: string;
  readonly actor: string;
  readonly key_id: string | null;
  readonly time: string;
}

type Decided = Pick<
  AuditRecord,
  "id" | "operation" | "outcome" | "principal" | "key_id" | "approval_id" | "time" | "stages" | "trust_score"
>;

/** What stages decided other than a plain pass without a policy, in the order of the records. */
export function decisionVerdicts(records: readonly Decided[]): DecisionVerdict[] {
  return records.flatMap(({ id, operation, stages }) =>
    stages
      .filter(
        ({ stage, verdict, policy_version }) =>
          stage !== "audit" && (policy_version !== null || verdict === "deny" || verdict === "require_approval"),
      )
      .map(({ stage, verdict, reasons, policy_version }) => ({
        audit_ref: id,
        action: operation,
        stage,
        verdict,
        reasons: [...reasons],
        policy_version,
      })),
  );
}

/** What people did to approvals: calls of that group that were allowed and read nothing only, in the order of the records. */
export function decisionVotes(records: readonly Decided[]): DecisionVote[] {
  return records
    .filter(
      ({ operation, outcome, principal }) =>
        /^approvals\.(?!read|list)/.test(operation) && outcome === "allowed" && !principal.startsWith("system:"),
    )
    .map(({ id, approval_id, operation, principal, key_id, time }) => ({
      audit_ref: id,
      approval_id,
      action: operation,
      actor: principal,
      key_id,
      time,
    }));
}

/** The trust score with which a task was dispatched; null where the records do not have its dispatch. */
export const decisionTrust = (records: readonly Decided[]): number | null =>
  records.find(({ operation, outcome }) => operation === "agents.dispatchTask" && outcome === "allowed")?.trust_score ??
  null;
