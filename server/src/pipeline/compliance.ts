import { Refusal, refuse } from "../kernel/errors.ts";
import type { PolicyFacts, Proposal } from "../kernel/operation.ts";
import { policyBlocked } from "../kernel/problems.ts";
import { type StageVerdict, stricter } from "../kernel/verdict.ts";
import { isAgentAction, readActionOf } from "./compliance/actions.ts";
import type { PolicyContext } from "./compliance/context.ts";
import { evaluate, type PolicyReason, type PolicySet, type Verdict } from "./compliance/evaluate.ts";
import { bothOf } from "./compliance/merge.ts";
import { POLICY_ERROR } from "./compliance/policy.ts";
import { type Hold, type HoldSubject, stagePort } from "./ports.ts";
import type { Authenticated, Described, Gated, Governed, Reach, Replayed, Validated } from "./stages.ts";

const noFacts: PolicyFacts = {};
type FactsOf = (ctx: object, given: object) => PolicyFacts;

/** The facts of the call, computed once: stops, policies, budgets and the handler see the same. */
export function gatherFacts(gated: Gated): Described {
  const { spec, context, input } = gated;
  const { compliance } = spec;
  if ("reason" in compliance) return { ...gated, facts: noFacts, policyContext: null };
  const facts = (compliance.facts as unknown as FactsOf)(context, input);
  return { ...gated, facts, policyContext: policyContextOf(gated, compliance.action, facts) };
}

/** Principal first, facts last: facts first made conditions a third slower to evaluate (bench pipeline-cpu). */
function policyContextOf(call: Authenticated, action: string, facts: PolicyFacts): PolicyContext {
  const { machine, principal, scope, now } = call;
  const { agent, spend: spentByTask } = facts;
  const known = agent && machine.port(stagePort).budgets.spend(scope, agent.name);
  const spend = known && spentByTask ? { ...known, ...spentByTask } : (known ?? spentByTask);
  return {
    principal: { id: principal.id, kind: principal.kind, role: principal.role ?? "none" },
    ...(principal.keyId === null ? {} : { key: keyFacts(principal.keyId, principal.scopes, call.call.address) }),
    action,
    environment: scope.environment,
    now,
    ...facts,
    ...(spend ? { spend } : {}),
  };
}

/** The refusal of an action by a stop or a pause: violations name its source. */
export class HoldRefusal extends Refusal {
  readonly source: string;
  constructor({ source, type, detail, members }: Hold) {
    super(type, { detail, stage: "compliance", members });
    this.source = source;
  }
}

/** Refuses an action of agents while a stop or a pause stands against it. */
function checkHold({ facts, machine, scope }: Described, action: string): void {
  if (!isAgentAction(action)) return;
  const { agent, version, skill, tool, model, workflow } = facts;
  const subject: { -readonly [Name in keyof HoldSubject]: HoldSubject[Name] } = {};
  if (agent) subject.agent = agent.name;
  if (version) subject.versionId = version.id;
  if (skill) subject.skill = skill.name;
  if (tool) subject.tool = tool.name;
  if (model) subject.model = model.name;
  if (workflow) subject.workflow = workflow.name;
  const hold = machine.port(stagePort).hold(scope, action, subject);
  if (hold) throw new HoldRefusal(hold);
}

/** The stage: every policy that applies to the action is evaluated, so that the record explains fully; then the strictest wins. */
export function comply(described: Described, reached: Reach): Governed {
  const { spec, machine, scope, policyContext } = described;
  const { compliance } = spec;
  if ("reason" in compliance || policyContext === null) {
    const verdict = notApplicable("reason" in compliance ? compliance.reason : "there are no facts of the call");
    return reached({ ...described, compliance: verdict, ...nothingAsked });
  }
  checkHold(described, policyContext.action);
  const policies = machine.port(stagePort).policies(scope);
  const own = evaluate(policies, policyContext);
  const proposed = judgeProposal(described, policyContext, policies);
  const result = proposed ? bothOf(own, proposed) : own;
  const governed = reached({
    ...described,
    compliance: stageVerdict(result),
    approval: stricter(described.approval, result.approval),
    tags: result.tags.length === 0 ? described.tags : [...described.tags, ...result.tags],
    limits: result.limits,
    redact: result.redact,
    findings: result.notified.length === 0 ? result.shadow : [...result.shadow, ...result.notified],
    asking: result.approval ? result.reasons.filter((reason) => reason.effect === "require_approval") : none,
  });
  if (own.verdict === "deny" || (own.verdict === "require_approval" && !compliance.waits))
    throw blocked(own.verdict, own.reasons);
  if (proposed?.verdict === "deny") throw blocked(proposed.verdict, proposed.reasons);
  return governed;
}

const none: readonly PolicyReason[] = [];
const nothingAsked = { limits: null, redact: null, findings: none, asking: none };

/**
 * The stages for a repetition: what it answers is there already, so policies judge it as a read of the same kind of object, and nothing but a denial counts.
 */
export function complyAsRead(validated: Validated, reached: Reach): Replayed {
  const { spec, machine, scope, context, input } = validated;
  const { compliance } = spec;
  const gate = notApplicable("replay", "evaluation_gate");
  const gated: Gated = reached({ ...validated, gate, approval: null, tags: [], compliance: notApplicable("replay") });
  if ("reason" in compliance)
    return { ...gated, facts: noFacts, policyContext: null, compliance: notApplicable("replay"), replayed: true };
  const factsOf = (compliance.readFacts ?? compliance.facts) as unknown as FactsOf;
  const { agent, version, skill } = factsOf(context, input);
  const facts = { ...(agent && { agent }), ...(version && { version }), ...(skill && { skill }) };
  const policyContext = policyContextOf(validated, readActionOf(compliance.action), facts);
  const result = evaluate(machine.port(stagePort).policies(scope), policyContext);
  const verdict = result.evaluated > 0 ? stageVerdict(result) : notApplicable("replay");
  const described = reached({ ...gated, facts, policyContext, compliance: verdict });
  if (result.verdict === "deny" || result.verdict === "require_approval") throw blocked(result.verdict, result.reasons);
  return { ...described, replayed: true };
}

/** What policies say of the actions that the call puts in the place of another one, or leads to; null: it does not. */
function judgeProposal({ spec, context, input }: Described, policyContext: PolicyContext, policies: PolicySet) {
  if ("reason" in spec.compliance || !spec.compliance.proposes) return null;
  const proposes = spec.compliance.proposes as unknown as (
    ctx: object,
    given: object,
  ) => readonly Proposal[] | Proposal | null;
  const proposed = [proposes(context, input) ?? []].flat();
  const verdicts = proposed.map(({ action, facts }) => evaluate(policies, { ...policyContext, action, ...facts }));
  return verdicts.length === 0 ? null : verdicts.reduce(bothOf);
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
