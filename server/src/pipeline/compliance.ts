import { refuse } from "../kernel/errors.ts";
import type { PolicyFacts, Proposal } from "../kernel/operation.ts";
import { policyBlocked } from "../kernel/problems.ts";
import type { ApprovalDemand, StageVerdict } from "../kernel/verdict.ts";
import type { Attempt } from "./stages.ts";
import { contextOf, scopeOf } from "./stages.ts";
import { isAgentAction, readActionOf } from "./compliance/actions.ts";
import type { PolicyContext } from "./compliance/context.ts";
import { evaluate, type PolicyReason, type PolicySet, type Verdict } from "./compliance/evaluate.ts";
import { bothOf } from "./compliance/merge.ts";
import { POLICY_ERROR } from "./compliance/policy.ts";

export interface ComplianceOutcome {
  readonly verdict: StageVerdict;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
}

/** The facts of the call, computed once: stops, policies, budgets and the handler see the same. Sets what policies see of it. */
export function gatherFacts(attempt: Attempt): void {
  const { spec, params, query, body, loaded } = attempt;
  const { compliance } = spec;
  if ("reason" in compliance) return;
  const factsOf = compliance.facts as unknown as (ctx: object, given: object) => PolicyFacts;
  showPolicies(attempt, compliance.action, factsOf(contextOf(attempt), { params, query, body, loaded }));
}

/** Sets what policies see of the call. */
function showPolicies(attempt: Attempt, action: string, facts: PolicyFacts): void {
  const { machine, progress } = attempt;
  const { principal, now } = progress;
  const scope = scopeOf(attempt);
  const { agent, spend: spentByTask } = facts;
  const known = agent && machine.ports.budgets.spend(scope, agent.name);
  const spend = known && spentByTask ? { ...known, ...spentByTask } : (known ?? spentByTask);
  attempt.facts = facts;
  attempt.policyContext = {
    principal: { id: principal.id, kind: principal.kind, role: principal.role ?? "none" },
    ...(principal.keyId === null ? {} : { key: keyFacts(principal.keyId, principal.scopes, attempt.call.address) }),
    action,
    environment: scope.environment,
    now,
    ...facts,
    ...(spend ? { spend } : {}),
  };
}

/** Refuses an action of agents while a stop or a pause stands against it. */
export function checkHold(attempt: Attempt): void {
  const { facts, machine, policyContext } = attempt;
  if (policyContext === null || !isAgentAction(policyContext.action)) return;
  const { agent, version, skill, tool, model } = facts;
  const hold = machine.ports.hold(scopeOf(attempt), policyContext.action, {
    ...(agent ? { agent: agent.name } : {}),
    ...(version ? { versionId: version.id } : {}),
    ...(skill ? { skill: skill.name } : {}),
    ...(tool ? { tool: tool.name } : {}),
    ...(model ? { model: model.name } : {}),
  });
  if (!hold) return;
  attempt.hold = hold;
  throw refuse(hold.type, hold.detail, { stage: "compliance", members: hold.members });
}

/** The stage: every policy that applies to the action is evaluated, so that the record explains fully; then the strictest wins. */
export function comply(attempt: Attempt): ComplianceOutcome {
  const { spec, machine, progress, policyContext } = attempt;
  const { compliance } = spec;
  if ("reason" in compliance || policyContext === null) {
    const reason = "reason" in compliance ? compliance.reason : "there are no facts of the call";
    return { verdict: notApplicable(reason), approval: null, tags: [] };
  }
  const policies = machine.ports.policies(scopeOf(attempt));
  const own = evaluate(policies, policyContext);
  const proposed = judgeProposal(attempt, policies);
  const result = proposed ? bothOf(own, proposed) : own;
  const verdict = stageVerdict(result);
  progress.compliance = verdict;
  attempt.findings = result.notified.length === 0 ? result.shadow : [...result.shadow, ...result.notified];
  attempt.limits = result.limits;
  attempt.redact = result.redact;
  if (result.approval) attempt.asking = result.reasons.filter((reason) => reason.effect === "require_approval");
  if (own.verdict === "deny" || (own.verdict === "require_approval" && !compliance.waits))
    throw blocked(own.verdict, own.reasons);
  if (proposed?.verdict === "deny") throw blocked(proposed.verdict, proposed.reasons);
  return { verdict, approval: result.approval, tags: result.tags };
}

/**
 * The stage for a repetition: what it answers is there already, so policies judge it as a read of the same kind of object, and nothing but a denial counts.
 * Whatever the stages had found of the call itself, had it been the first, is dropped.
 */
export function complyAsRead(attempt: Attempt): void {
  const { spec, machine, progress, params, query, body, loaded } = attempt;
  const { compliance } = spec;
  Object.assign(attempt, {
    findings: [],
    asking: [],
    approval: null,
    limits: null,
    redact: null,
    hold: null,
    policyContext: null,
  });
  Object.assign(progress, {
    tags: [],
    gate: notApplicable("replay", "evaluation_gate"),
    compliance: notApplicable("replay"),
  });
  if ("reason" in compliance) return;
  const factsOf = (compliance.readFacts ?? compliance.facts) as unknown as (ctx: object, given: object) => PolicyFacts;
  const { agent, version, skill } = factsOf(contextOf(attempt), { params, query, body, loaded });
  showPolicies(attempt, readActionOf(compliance.action), {
    ...(agent && { agent }),
    ...(version && { version }),
    ...(skill && { skill }),
  });
  const result = evaluate(machine.ports.policies(scopeOf(attempt)), attempt.policyContext as unknown as PolicyContext);
  if (result.evaluated > 0) progress.compliance = stageVerdict(result);
  if (result.verdict === "deny" || result.verdict === "require_approval") throw blocked(result.verdict, result.reasons);
}

/** What policies say of the action that the call puts in the place of another one; null: it does not. */
function judgeProposal(attempt: Attempt, policies: PolicySet): Verdict | null {
  const { spec, params, query, body, loaded, policyContext } = attempt;
  if ("reason" in spec.compliance || !spec.compliance.proposes || policyContext === null) return null;
  const proposes = spec.compliance.proposes as unknown as (ctx: object, given: object) => Proposal | null;
  const proposal = proposes(contextOf(attempt), { params, query, body, loaded });
  return proposal && evaluate(policies, { ...policyContext, action: proposal.action, ...proposal.facts });
}

function keyFacts(id: string, scopes: readonly string[] | null, address: string | null) {
  return { id, ...(scopes === null ? {} : { scopes }), ...(address === null ? {} : { address }) };
}

/** The verdict as it is recorded: with what shadow policies would have said, and what was not applied to an action that nothing can deny. */
function stageVerdict(result: Verdict): StageVerdict {
  if (result.evaluated === 0)
    return notApplicable("no policy applies to this action", "compliance", result.policy_version);
  const place = placeOf(result);
  place.verdict ??= {
    stage: "compliance",
    verdict: result.verdict,
    reasons: [
      ...result.reasons.map(line("")),
      ...result.shadow.map(line("shadow ")),
      ...result.exempt.map(line("not applied ")),
    ],
    policy_version: result.policy_version,
  };
  return place.verdict;
}

const line = (note: string) => (r: PolicyReason) => `${r.policy} v${r.version} ${note}${r.effect}: ${r.reason_code}`;

/** A verdict by what it says, step by step: the set's version, the word, then each reason. What policies say of calls is nearly always said again. */
interface Place {
  readonly next: Map<unknown, Place>;
  verdict: StageVerdict | null;
}

const newPlace = (): Place => ({ next: new Map(), verdict: null });
let places = newPlace();
let placed = 0;
const mostPlaced = 5_000;

function placeOf({ policy_version, verdict, reasons, shadow, exempt }: Verdict): Place {
  if (placed > mostPlaced) {
    places = newPlace();
    placed = 0;
  }
  let place = step(step(places, policy_version), verdict);
  for (const reason of reasons) place = step(place, reason);
  if (shadow.length > 0) place = step(place, "shadow");
  for (const reason of shadow) place = step(place, reason);
  if (exempt.length > 0) place = step(place, "exempt");
  for (const reason of exempt) place = step(place, reason);
  return place;
}

function step(from: Place, by: unknown): Place {
  let place = from.next.get(by);
  if (!place) {
    place = newPlace();
    from.next.set(by, place);
    placed++;
  }
  return place;
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
    members: {
      policies: deciding.map(({ policy, version, reason_code, message }) => ({
        policy,
        version,
        reason_code,
        message,
      })),
    },
  });
}

/** A verdict of a stage that has nothing to decide. */
export function notApplicable(
  reason: string,
  stage: StageVerdict["stage"] = "compliance",
  version: string | null = null,
): StageVerdict {
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
