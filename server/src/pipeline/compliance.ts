import { refuse } from "../kernel/errors.ts";
import type { PolicyFacts } from "../kernel/operation.ts";
import { policyBlocked } from "../kernel/problems.ts";
import type { ApprovalDemand, StageVerdict } from "../kernel/verdict.ts";
import type { Attempt } from "./attempt.ts";
import { contextOf, scopeOf } from "./attempt.ts";
import { evaluate, type PolicyReason, type Verdict } from "./compliance/evaluate.ts";
import { POLICY_ERROR } from "./compliance/policy.ts";

export interface ComplianceOutcome {
  readonly verdict: StageVerdict;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
  readonly facts: PolicyFacts;
}

/** The stage: every policy that applies to the action is evaluated, so that the record explains fully; then the strictest wins. */
export function comply(attempt: Attempt): ComplianceOutcome {
  const { spec, machine, progress, params, query, body, loaded } = attempt;
  const { compliance } = spec;
  if ("reason" in compliance) {
    return { verdict: notApplicable(compliance.reason), approval: null, tags: [], facts: {} };
  }
  const factsOf = compliance.facts as unknown as (ctx: object, given: object) => PolicyFacts;
  const facts = factsOf(contextOf(attempt), { params, query, body, loaded });
  const { principal, now } = progress;
  const scope = scopeOf(attempt);
  const result = evaluate(machine.ports.policies(scope), {
    principal: { id: principal.id, kind: principal.kind, role: principal.role ?? "none" },
    ...(principal.keyId === null ? {} : { key: keyFacts(principal.keyId, principal.scopes, attempt.call.address) }),
    action: compliance.action,
    environment: scope.environment,
    now,
    ...facts,
  });
  const verdict = stageVerdict(result);
  progress.compliance = verdict;
  if (result.verdict === "deny" || (result.verdict === "require_approval" && !compliance.waits)) {
    throw blocked(result.verdict, result.reasons);
  }
  return { verdict, approval: result.approval, tags: result.tags, facts };
}

function keyFacts(id: string, scopes: readonly string[] | null, address: string | null) {
  return { id, ...(scopes === null ? {} : { scopes }), ...(address === null ? {} : { address }) };
}

/** The verdict as it is recorded: with what shadow policies would have said, and what was not applied to an action that nothing can deny. */
function stageVerdict(result: Verdict): StageVerdict {
  const line = (note: string) => (r: PolicyReason) => `${r.policy} v${r.version} ${note}${r.effect}: ${r.reason_code}`;
  const reasons = [...result.reasons.map(line("")), ...result.shadow.map(line("shadow ")), ...result.exempt.map(line("not applied "))];
  if (result.evaluated === 0) return notApplicable("no policy applies to this action", "compliance", result.policy_version);
  return { stage: "compliance", verdict: result.verdict, reasons, policy_version: result.policy_version };
}

function blocked(verdict: string, reasons: readonly PolicyReason[]): Error {
  const effect = verdict === "deny" ? "deny" : "require_approval";
  const deciding = reasons.filter((r) => r.effect === effect || (verdict === "deny" && r.reason_code === POLICY_ERROR));
  const first = deciding[0];
  const what = first
    ? `${first.message} (policy ${first.policy}, version ${first.version}, ${first.reason_code})`
    : "A policy forbids this call.";
  const detail = verdict === "deny" ? what : `${what} It asks for approval, and this operation cannot wait for one.`;
  return refuse(policyBlocked, detail, {
    stage: "compliance",
    members: { policies: deciding.map(({ policy, version, reason_code, message }) => ({ policy, version, reason_code, message })) },
  });
}

/** A verdict of a stage that has nothing to decide. */
export function notApplicable(reason: string, stage: StageVerdict["stage"] = "compliance", version: string | null = null): StageVerdict {
  const key = `${stage} ${version} ${reason}`;
  let verdict = shared.get(key);
  if (!verdict) {
    if (shared.size > mostShared) shared.clear();
    verdict = { stage, verdict: "not_applicable", reasons: [reason], policy_version: version };
    shared.set(key, verdict);
  }
  return verdict;
}

/** Calls share verdicts that say the same; a changed set of policies makes new ones. */
const shared = new Map<string, StageVerdict>();
const mostShared = 1000;
