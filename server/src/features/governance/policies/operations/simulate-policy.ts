import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { momentOf } from "../../../../kernel/moment.ts";
import { byBody, type Concerned } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { exampleBody, exampleReport } from "../example.ts";
import { type Candidate, dayMs, replayCandidate } from "../replay.ts";
import { agentsOfScopes, candidateId, policyFaults, textOf } from "../rules.ts";
import { type PolicyBody, ReplayReport, SimulatePolicyBody } from "../schemas.ts";
import { findPolicy } from "../store.ts";

const furthestDays = 90;

function textMembers({
  policy: _policy,
  version: _version,
  calls: _calls,
  since: _since,
  ...text
}: SimulatePolicyBody): Partial<PolicyBody> {
  return text;
}

const hasText = (body: SimulatePolicyBody): boolean => Object.keys(textMembers(body)).length > 0;

const { state: _state, note: _note, ...exampleText } = exampleBody;

export const simulatePolicy = defineOperation({
  id: "governance.simulatePolicy",
  method: "POST",
  path: "/v1/governance/policies/simulate",
  listed: true,
  summary: "Simulate a policy",
  description:
    "Replays a policy over the calls that were recorded: what would have become of them if it had decided beside the other policies in force. Give a text (as for a new policy, " +
    "state and note left out), a policy that is there, or both: the text then stands in its place. Changes nothing. Of each call it is judged what policies saw then; calls of which that " +
    "is no longer known exactly are left out and counted.",
  body: SimulatePolicyBody,
  output: ReplayReport,
  example: { body: { ...exampleText, calls: 10_000 }, output: exampleReport },
  permission: "governance:write",
  load: exempt("names no object; the policy stands in the body"),
  narrowing: byBody("the agents in the policy's scope; only their calls are replayed", concerned),
  validate: (ctx, { body }) => bodyFaults(ctx, body),
  gate: exempt("makes no agent act"),
  decides: exempt("judges and changes nothing"),
  compliance: governs("policy.simulate"),
  audit: ({ body }) => (body?.policy === undefined ? "policies" : `policy:${body.policy}`),
  async handle(ctx, { body }) {
    const candidate = await candidateOf(ctx, body);
    return replayCandidate(ctx, candidate, {
      calls: body.calls,
      since: body.since === undefined ? undefined : momentOf(body.since),
    });
  },
});

async function concerned(ctx: ReadContext, { body }: { body: SimulatePolicyBody }): Promise<Concerned> {
  const row = body.policy === undefined ? undefined : await findPolicy(ctx, body.policy, body.version);
  return agentsOfScopes(...(row ? [row.definition.scope] : []), ...(hasText(body) ? [body.scope ?? {}] : []));
}

async function candidateOf(ctx: WriteContext, body: SimulatePolicyBody): Promise<Candidate> {
  const { policy } = body;
  if (policy === undefined) return { id: candidateId, version: 1, text: textOf(body as PolicyBody) };
  const row = await findPolicy(ctx, policy, body.version);
  if (!row) {
    const what = body.version === undefined ? policy : `version ${body.version} of ${policy}`;
    const pointer = body.version === undefined ? "/policy" : "/version";
    const detail = `there is no ${what} in ${ctx.scope.environment}; GET /v1/governance/policies lists those that are there`;
    throw refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code: "unknown_policy", detail }] });
  }
  if (hasText(body)) return { id: row.id, version: row.newest + 1, text: textOf(body as PolicyBody) };
  const { definition, effective_from, effective_until } = row;
  const text = { definition, from: effective_from?.getTime() ?? null, until: effective_until?.getTime() ?? null };
  return { id: row.id, version: row.version, text };
}

function bodyFaults(ctx: CallContext, body: SimulatePolicyBody): Fault[] {
  const faults: Fault[] = [];
  const text = textMembers(body);
  if (body.policy === undefined && !hasText(body)) {
    faults.push({
      pointer: "",
      code: "required",
      detail: "needs a text (`name`, `when`, `effect`, `reason_code`, `message`) or a `policy` that is there",
    });
  }
  if (hasText(body)) {
    const missing = (["name", "when", "effect", "reason_code", "message"] as const).filter(
      (name) => text[name] === undefined,
    );
    for (const name of missing)
      faults.push({
        pointer: `/${name}`,
        code: "required",
        detail: "is required together with the rest of a text; add it",
      });
    faults.push(...policyFaults(ctx, text as PolicyBody));
  }
  if (body.version !== undefined && (body.policy === undefined || hasText(body))) {
    faults.push({
      pointer: "/version",
      code: "not_allowed",
      detail: "names a stored version, so it goes with `policy` alone; leave it or the text out",
    });
  }
  const since = typeof body.since === "string" ? momentOf(body.since) : Number.NaN;
  if (since < ctx.now - furthestDays * dayMs) {
    faults.push({
      pointer: "/since",
      code: "too_early",
      detail: `lies more than ${furthestDays} days back; give a later time`,
    });
  }
  if (since > ctx.now)
    faults.push({ pointer: "/since", code: "too_late", detail: "lies in the future; give an earlier time" });
  return faults;
}
