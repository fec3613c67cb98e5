import { nearestName } from "@aos/text";
import type {
  PolicyPort,
  ProposedCall,
  ProposedVerdict,
  RecordedTexts,
  StatedFault,
  StatedPolicy,
  StoredPolicy,
} from "../../features/governance/ports.ts";
import { type GateOverride, gateConsequence, gateState } from "../../kernel/gate-table.ts";
import { storedJson } from "../../kernel/stored-json.ts";
import type { GateFacts } from "../ports.ts";
import { lacksInput, type RecordFacts, restoreContext } from "../replay-context.ts";
import { AGENT_ACTIONS, allActions, canWait, carriesInput, isAgentAction, isNeverDenied } from "./actions.ts";
import { compilePolicy, loadPolicy } from "./compile.ts";
import type { PolicyContext } from "./context.ts";
import { createPolicySet, evaluate, explain, type PolicySet } from "./evaluate.ts";
import { outcomeOf, Replay } from "./replay.ts";

/** What is known in memory of the gate of a version. */
export type GateLookup = (
  facts: ProposedCall["facts"],
  scope: ProposedCall["scope"],
  version: NonNullable<ProposedCall["version"]>,
) => { readonly known: GateFacts | undefined; readonly override: GateOverride };

/** Compiles, evaluates and replays policies for the governance slice. */
export function createPolicyPort(gateOf: GateLookup): PolicyPort {
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
    check: (call) => verdictOn(call, gateOf),
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

const recordJson = storedJson<{ body: RecordFacts & { readonly task_id: string | null } }>();

function recordedCall({ id, body, context, task, changed }: RecordedTexts) {
  const record = recordJson({ body }, "body");
  const unknown = lacksInput(context) ? [...changed, "input"] : changed;
  return { auditRef: id, taskId: record.task_id, context: restoreContext(context, record, task), changed: unknown };
}

function verdictOn(
  { facts, scope, now, version, policies, context: proposed }: ProposedCall,
  gateOf: GateLookup,
): ProposedVerdict {
  const context = proposed as unknown as PolicyContext;
  const set = setOf(policies, now);
  const byVersion = new Map(policies.map((policy) => [`${policy.id} ${policy.version}`, policy]));
  const verdict = evaluate(set, context);
  return {
    gate: version && gateVerdict(gateOf(facts, scope, version), scope, now),
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

const consequences = { go: "allow", approve: "require_approval", refuse: "deny", tag: "tag" } as const;

function gateVerdict(
  { known, override }: ReturnType<GateLookup>,
  { environment }: ProposedCall["scope"],
  now: number,
): ProposedVerdict["gate"] {
  const state = gateState(known, now);
  const consequence = gateConsequence(environment, override, state);
  return { state, consequence: consequences[consequence], reasons: known?.reasons ?? [] };
}
