import { compileSchema, type Validator } from "@aos/json-schema";
import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { momentOf } from "../../../kernel/moment.ts";
import type { Concerned } from "../../../kernel/narrowing.ts";
import { type PolicyPort, policyPort, type StatedPolicy } from "../ports.ts";
import { type PolicyDefinition, policyFacts, type StoredPolicy } from "./facts.ts";
import { PolicyBody } from "./schemas.ts";

export interface PolicyText {
  readonly definition: PolicyDefinition;
  /** Milliseconds since the epoch; null means unlimited. */
  readonly from: number | null;
  readonly until: number | null;
}

type Definition = Pick<
  PolicyBody,
  "scope" | "when" | "effect" | "params" | "reason_code" | "message" | "controls" | "effective_from" | "effective_until"
>;

/** What a body says, with standard values in place of what it leaves out. */
export function textOf(body: Definition): PolicyText {
  const { scope = {}, when, effect, params = {}, reason_code, message, controls = [] } = body;
  return {
    definition: { scope, when, effect, params: params as PolicyDefinition["params"], reason_code, message, controls },
    from: timeOf(body.effective_from),
    until: timeOf(body.effective_until),
  };
}

const timeOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : momentOf(text);

export function inForce(
  id: string,
  version: number,
  state: StoredPolicy["state"],
  { definition, from, until }: PolicyText,
): StoredPolicy {
  return { ...definition, id, version, state, effective_from: from, effective_until: until };
}

/** No real policy has this id: for texts that have none yet. */
export const candidateId = "pol_candidate";

let bodyValidator: Validator | undefined;
function isWellFormed(body: unknown): boolean {
  bodyValidator ??= compileSchema(PolicyBody);
  return bodyValidator(body).length === 0;
}

/**
 * Everything that keeps a text from being a policy of the environment, each with its place; of the condition with line and column. Faults that the
 * schema tells are not reported twice: while there are such, only the condition is looked at besides.
 */
export function policyFaults(ctx: CallContext, body: PolicyBody): Fault[] {
  if (!isWellFormed(body)) {
    if (typeof body.when !== "string") return [];
    const actions = Array.isArray(body.scope?.actions) ? { actions: body.scope.actions } : {};
    return statedFaults(ctx.port(policyPort), { ...plain, when: body.when, scope: actions }).filter(
      ({ pointer }) => pointer === "/when",
    );
  }
  const { definition, from, until } = textOf(body);
  const stated = {
    ...definition,
    id: candidateId,
    version: 1,
    state: "draft" as const,
    effective_from: from,
    effective_until: until,
  };
  return [...statedFaults(ctx.port(policyPort), stated), ...foreignEnvironments(ctx, body)];
}

const plain: StatedPolicy = {
  id: candidateId,
  version: 1,
  state: "draft",
  scope: {},
  when: "true",
  effect: "deny",
  params: {},
  reason_code: "none",
  message: "None.",
  controls: [],
  effective_from: null,
  effective_until: null,
};

function statedFaults(port: PolicyPort, policy: StatedPolicy): Fault[] {
  return port
    .faults(policy)
    .map(({ pointer, code, detail, line, column }) =>
      line === undefined || column === undefined
        ? { pointer, code, detail }
        : { pointer, code, line, column, detail: `line ${line}, column ${column}: ${detail}` },
    );
}

function foreignEnvironments({ scope: { environment } }: CallContext, { scope }: PolicyBody): Fault[] {
  return (scope?.environments ?? []).flatMap((named, i) => {
    if (named === environment) return [];
    const detail = `is not the environment of the key, ${environment}, in which the policy is kept and holds; create it with a key of ${named}`;
    return [{ pointer: `/scope/environments/${i}`, code: "another_environment", detail }];
  });
}

/** The agents that scopes of policies name; null: one of them is of all agents. A pattern stands for no agent that a key could be narrowed to. */
export function agentsOfScopes(...scopes: readonly PolicyDefinition["scope"][]): Concerned {
  const agents = scopes.flatMap((scope) => scope.agents ?? ["*"]);
  return agents.includes("*") ? null : agents;
}

export function scopesInForce(ctx: CallContext, id: string): PolicyDefinition["scope"][] {
  const policies = ctx.facts.get(policyFacts).of(ctx.scope);
  return policies.filter((policy) => policy.id === id).map(({ scope }) => scope);
}
