import { gateFacts } from "./features/evaluations/index.ts";
import {
  type PolicyPort,
  type ProposedCall,
  type ProposedVerdict,
  policyFacts,
  type RecordedTexts,
  type StatedFault,
  type StatedPolicy,
  type StoredPolicy,
} from "./features/governance/index.ts";
import { gateConsequence, gateState } from "./kernel/gate-table.ts";
import { nearestName } from "./kernel/suggest.ts";
import {
  AGENT_ACTIONS,
  allActions,
  canWait,
  carriesInput,
  isAgentAction,
  isNeverDenied,
} from "./pipeline/compliance/actions.ts";
import { compilePolicy, loadPolicy } from "./pipeline/compliance/compile.ts";
import type { PolicyContext } from "./pipeline/compliance/context.ts";
import { createPolicySet, evaluate, explain, type PolicySet } from "./pipeline/compliance/evaluate.ts";
import { outcomeOf, Replay } from "./pipeline/compliance/replay.ts";
import { lacksInput, type RecordFacts, restoreContext } from "./pipeline/replay-context.ts";

/** Joins the governance slice with the machine that compiles and evaluates policies. */
export function createPolicyPort(): PolicyPort {
  return {
    faults(policy) {
      const result = compilePolicy(policy);
      return [...(result.ok ? [] : result.faults), ...unknownActions(policy)];
    },
    actionsOf: ({ actions }) => actions ?? AGENT_ACTIONS,
    actions: allActions,
    isAgentAction,
    carriesInput,
    async replay({ before, after, candidate, now, pages }) {
      const replay = new Replay(setOf(before, now), setOf(after, now), candidate);
      for await (const page of pages) {
        for (const call of page) replay.add(recordedCall(call));
        await new Promise(setImmediate); // other calls go on between pages
      }
      return replay.counts();
    },
    check: (call) => verdictOn(call),
  };
}

const setOf = (policies: readonly StoredPolicy[], now: number): PolicySet =>
  createPolicySet(policies.map(loadPolicy), now);

/** A stored policy may name an action that this release lacks; one that is to be saved may not: it would never apply. */
function unknownActions({ scope }: StatedPolicy): StatedFault[] {
  const actions: unknown = scope?.actions;
  if (!Array.isArray(actions)) return [];
  return actions.flatMap((action: unknown, i): StatedFault[] => {
    if (typeof action !== "string" || allActions().includes(action)) return [];
    const close = nearestName(action, allActions());
    const hint = close ? `Did you mean ${close}?` : `Known: ${allActions().join(", ")}.`;
    return [
      {
        pointer: `/scope/actions/${i}`,
        code: "unknown_action",
        detail: `No call has this action, so the policy would never apply. ${hint}`,
      },
    ];
  });
}

function recordedCall({ id, body, context, task, changed }: RecordedTexts) {
  const record = JSON.parse(body) as RecordFacts & { readonly task_id: string | null };
  const unknown = lacksInput(context) ? [...changed, "input"] : changed;
  return { auditRef: id, taskId: record.task_id, context: restoreContext(context, record, task), changed: unknown };
}

function verdictOn({ facts, scope, now, version, context: proposed }: ProposedCall): ProposedVerdict {
  const context = proposed as unknown as PolicyContext;
  const policies = facts.get(policyFacts).of(scope);
  const set = setOf(policies, now);
  const byVersion = new Map(policies.map((policy) => [`${policy.id} ${policy.version}`, policy]));
  const verdict = evaluate(set, context);
  return {
    gate: version && gateOf(facts, scope, version, now),
    policies: explain(set, context).map(({ policy: { id, version: number }, outcome }) => ({
      policy: byVersion.get(`${id} ${number}`) as StoredPolicy,
      outcome,
    })),
    outcome: outcomeOf(verdict, context.action),
    neverDenied: isNeverDenied(context.action),
    waits: canWait(context.action),
    approval: verdict.approval,
    tags: verdict.tags,
    limits: verdict.limits,
    redact: verdict.redact,
  };
}

const consequences = { go: "goes", approve: "waits", refuse: "refused", tag: "tagged" } as const;

function gateOf(
  facts: ProposedCall["facts"],
  scope: ProposedCall["scope"],
  version: NonNullable<ProposedCall["version"]>,
  now: number,
): ProposedVerdict["gate"] {
  const gates = facts.get(gateFacts);
  const known = gates.of(scope, version.id);
  const state = gateState(known, now);
  const consequence = gateConsequence(scope.environment, gates.overrideOf(scope, version.agent), state);
  return { state, follows: consequences[consequence], reasons: known?.reasons ?? [] };
}
