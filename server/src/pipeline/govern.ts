import type { GateSubject } from "../kernel/operation.ts";
import { comply, gatherFacts, notApplicable } from "./compliance.ts";
import { mergeOutcomes, passGate } from "./evaluation-gate.ts";
import { stagePort } from "./ports.ts";
import { checkPrecondition } from "./precondition.ts";
import type { Gated, Governed, Reach, Validated } from "./stages.ts";

/**
 * What the change is based on, the evaluation gate, stops and pauses, then policies. What they ask for is merged to the strictest and handed to the handler.
 */
export function govern(validated: Validated, reached: Reach): Governed {
  const { times } = validated;
  if (validated.invalid) throw validated.invalid;
  checkBase(validated);
  times.governs = performance.now();
  const gated = reached(gate(validated));
  times.gated = performance.now();
  const governed = comply(reached(gatherFacts(gated)), reached);
  times.complied = performance.now();
  return governed;
}

/** What the change is based on: required of some operations, the caller's choice of others. */
function checkBase({ spec, call, loaded }: Validated): void {
  const revisionOf = spec.ifMatch ?? (call.ifMatch === null ? undefined : spec.mayMatch);
  if (revisionOf) checkPrecondition(call.ifMatch, (revisionOf as unknown as (loaded: unknown) => string)(loaded));
}

function gate(validated: Validated): Gated {
  const { machine, spec, context, input, scope, now } = validated;
  if ("reason" in spec.gate)
    return { ...validated, gate: notApplicable(spec.gate.reason, "evaluation_gate"), approval: null, tags: [] };
  const subjectsOf = spec.gate as unknown as (ctx: object, given: object) => GateSubject | readonly GateSubject[];
  const ports = machine.port(stagePort);
  const waits = "waits" in spec.compliance && spec.compliance.waits;
  const outcomes = [subjectsOf(context, input)].flat().map((subject) => {
    const known = { facts: ports.gate(scope, subject.versionId), override: ports.gateOverride(scope, subject.agent) };
    return passGate(subject, scope, known, now, waits);
  });
  if (outcomes.length === 0)
    return { ...validated, gate: notApplicable("no agent acts", "evaluation_gate"), approval: null, tags: [] };
  const { verdict, approval, tags } = mergeOutcomes(outcomes);
  return { ...validated, gate: verdict, approval, tags };
}
