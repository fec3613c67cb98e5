import { type AppendTable, defineAppendTable } from "../kernel/append.ts";
import type { Refusal } from "../kernel/errors.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import type { Principal } from "../kernel/principal.ts";
import { budgetExhausted, gateFailed, policyBlocked } from "../kernel/problems.ts";
import { isNeverDenied } from "./compliance/actions.ts";
import type { PolicyReason } from "./compliance/evaluate.ts";
import { POLICY_ERROR } from "./compliance/policy.ts";
import { HoldRefusal } from "./compliance.ts";
import { collectEvents, policyBlockedEvent, policyWarnedEvent } from "./events.ts";
import type { AppendedRow } from "./ports.ts";
import type { Reached } from "./stages.ts";

/** A violation as calls write it; what becomes of it (`status`, `owner`) others write. */
interface ViolationRow extends Record<string, unknown> {
  /** Of the call's audit record. */
  readonly id: string;
  /** `pol_…`, `ksw_…`, `budget:<scope>/<unit>/<period>`, `gate` or `pause`. */
  readonly source: string;
  readonly source_version: number | null;
  readonly kind: "blocked" | "would_block" | "would_wait" | "warned";
  readonly reason_code: string;
  readonly message: string;
  readonly operation: string;
  readonly action: string;
  readonly agent: string | null;
  readonly task_id: string | null;
  readonly principal: string;
  readonly key_id: string | null;
}

/** What was blocked, and what would have been. Only calls that have one write here, together with their record. */
export const newViolations: AppendTable<ViolationRow> = defineAppendTable<ViolationRow>({
  table: "violations",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["source", "text"],
    ["source_version", "int"],
    ["kind", "text"],
    ["reason_code", "text"],
    ["message", "text"],
    ["operation", "text"],
    ["action", "text"],
    ["agent", "text"],
    ["task_id", "text"],
    ["principal", "text"],
    ["key_id", "text"],
  ],
});

type Finding = Pick<ViolationRow, "source" | "source_version" | "kind" | "reason_code" | "message">;
const none: readonly never[] = [];

/**
 * The violations of a call whose record has been drafted: what refused it, in the stages, and what policies found that did not. Of several
 * findings of one source the gravest is kept: its active version's before its shadow version's. None on a dry run and of a repetition.
 */
export function violationRows(
  reached: Reached,
  taskId: string | null,
  refusal: Refusal | null,
): readonly AppendedRow[] {
  const { findings = none, spec, auditRef } = reached;
  const principal = whoIsTold(reached);
  if ((refusal === null && findings.length === 0) || principal === null) return none;
  const found = [
    ...(refusal ? blockedBy(reached, refusal) : none),
    ...findings.flatMap((reason) => noticed(reached, reason)),
  ];
  const bySource = new Map<string, Finding>();
  for (const kind of ["blocked", "would_block", "would_wait", "warned"] as const)
    for (const one of found) if (one.kind === kind && !bySource.has(one.source)) bySource.set(one.source, one);
  const about = {
    id: auditRef,
    operation: spec.id,
    action: "action" in spec.compliance ? spec.compliance.action : spec.id,
    agent: agentOf(reached),
    task_id: taskId,
    principal: principal.id,
    key_id: principal.keyId,
  };
  return [...bySource.values()].map((one) => ({
    table: newViolations as unknown as AppendTable,
    row: { ...about, ...one },
  }));
}

/** Events for what active policies only want noticed. */
export function warnedEvents(reached: Reached): readonly EmittedEvent[] {
  const { findings = none, spec, auditRef: audit_ref } = reached;
  const principal = whoIsTold(reached);
  const warnings = findings.filter(isWarning);
  if (warnings.length === 0 || principal === null) return none;
  const { events, emit } = collectEvents();
  const about = { operation: spec.id, agent: agentOf(reached), principal: principal.id };
  for (const { policy, reason_code, message } of warnings)
    emit(policyWarnedEvent, { ...about, policy, reason_code, message, audit_ref });
  return events;
}

/** Subscribers hear of a call that a policy blocked, too. */
export function blockedEvents(reached: Reached, { type, details }: Refusal): readonly EmittedEvent[] {
  const { spec, auditRef: audit_ref, principal } = reached;
  if (type !== policyBlocked || reached.dryRun || !principal) return none;
  const { events, emit } = collectEvents();
  const { detail } = details;
  emit(policyBlockedEvent, { operation: spec.id, agent: agentOf(reached), principal: principal.id, detail, audit_ref });
  return events;
}

/** The agent that a call concerns, as far as it is known. */
function agentOf({ facts, loaded, params }: Reached): string | null {
  if (facts?.agent) return facts.agent.name;
  if (typeof loaded === "object" && loaded !== null && "agent" in loaded && typeof loaded.agent === "string")
    return loaded.agent;
  return typeof params?.agent === "string" ? params.agent : null;
}

/** The caller whose violations are kept; null: nobody is known, or the call is a dry run or a repetition, of which none are. */
const whoIsTold = ({ dryRun, replayed, principal }: Reached): Principal | null =>
  dryRun || replayed || !principal ? null : principal;
const isWarning = (reason: PolicyReason): boolean => reason.state === "active" && reason.effect === "notify";

/** What a finding that did not refuse the call comes to. A policy that cannot be evaluated refuses, so one in shadow would. */
function noticed({ spec }: Reached, reason: PolicyReason): Finding[] {
  if (isWarning(reason)) return [ofPolicy(reason, "warned")];
  if (reason.state !== "shadow" || !("action" in spec.compliance) || isNeverDenied(spec.compliance.action)) return [];
  if (reason.effect === "deny" || reason.reason_code === POLICY_ERROR) return [ofPolicy(reason, "would_block")];
  return reason.effect === "require_approval" ? [ofPolicy(reason, "would_wait")] : [];
}

type DecidingPolicy = Pick<PolicyReason, "policy" | "version" | "reason_code" | "message">;

function ofPolicy({ policy, version, reason_code, message }: DecidingPolicy, kind: Finding["kind"]): Finding {
  return { source: policy, source_version: version, kind, reason_code, message };
}

/** What refused the call, where a stage did: one finding for each policy that decided, or the gate, the stop, the pause or the budget. */
function blockedBy({ asking = none }: Reached, refusal: Refusal): Finding[] {
  const { type, details } = refusal;
  const by = (source: string): Finding => ({
    source,
    source_version: null,
    kind: "blocked",
    reason_code: type.code,
    message: details.detail,
  });
  if (details.stage === "evaluation_gate") return type === gateFailed ? [by("gate")] : [];
  if (details.stage !== "compliance") return [];
  if (refusal instanceof HoldRefusal) return [by(refusal.source)];
  if (type === policyBlocked) {
    // A handler that finds a demand for approval unmet refuses by the policies that made it.
    const policies = (details.members?.policies as readonly DecidingPolicy[] | undefined) ?? asking;
    return policies.map((policy) => ofPolicy(policy, "blocked"));
  }
  const budget = type === budgetExhausted ? (details.members?.budget as BudgetName | undefined) : undefined;
  // A call that has only to wait for what calls under way hold broke no limit.
  return budget && budget.reserved === undefined ? [by(`budget:${budget.scope}/${budget.unit}/${budget.period}`)] : [];
}

type BudgetName = Readonly<Record<"scope" | "unit" | "period", string>> & { readonly reserved?: number };
