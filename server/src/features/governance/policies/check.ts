import { nearestName } from "@aos/text";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { PolicyFacts } from "../../../kernel/operation.ts";
import { systemPrincipal } from "../../../kernel/principal.ts";
import type { ApprovalDemand } from "../../../kernel/verdict.ts";
import { stricter } from "../../../kernel/verdict.ts";
import { amountOf, demandOf } from "../budgets/rules.ts";
import { readLimits } from "../budgets/store.ts";
import { budgetView } from "../budgets/view.ts";
import { type Held, holdOn } from "../kill-switches/holds.ts";
import { type PolicyPort, type ProposedVerdict, policyPort, proposals } from "../ports.ts";
import type { CheckBody, CheckResult } from "./check-schemas.ts";
import { policyFacts } from "./facts.ts";

/** What a call of an agent's action has to name, so that policies find what they may read without asking. */
const needed: Readonly<Record<string, readonly ("agent" | "skill" | "tool" | "model")[]>> = {
  "task.dispatch": ["agent", "skill"],
  "task.run": ["agent", "skill"],
  "tool.call": ["agent", "skill", "tool"],
  "model.call": ["agent", "model"],
  "chat.message": ["agent"],
};
/** What a worker of the service does in the course of a task: policies see it as who calls, whoever dispatched the task, and no key. */
const ofWorkers: ReadonlySet<string> = new Set(["task.run", "tool.call", "model.call"]);

export function checkFaults(ctx: CallContext, body: CheckBody): Fault[] {
  const { action } = body;
  if (typeof action !== "string") return [];
  const policies = ctx.port(policyPort);
  const known = policies.actions();
  if (!known.includes(action)) {
    const close = nearestName(action, known);
    const detail = `is no action; ${close ? `did you mean ${close}?` : `known are ${known.join(", ")}`}`;
    return [{ pointer: "/action", code: "unknown_action", detail }];
  }
  const missing = (needed[action] ?? []).filter((name) => body[name] === undefined);
  if (missing.length > 0) {
    return missing.map((name) => ({
      pointer: `/${name}`,
      code: "required",
      detail: `is required to judge ${action}; add it`,
    }));
  }
  const foreign = notCarried(policies, body);
  if (foreign.length > 0) return foreign;
  const texts = [body.agent, body.skill, body.tool, body.model];
  if (
    texts.some((text) => text !== undefined && typeof text !== "string") ||
    (body.input !== undefined && !isObject(body.input))
  )
    return [];
  return ctx.port(proposals).faults(ctx, body);
}

/** What of a proposal no call of its action has, so that no policy would see it. */
function notCarried(port: PolicyPort, { action, input, as }: CheckBody): Fault[] {
  const faults: Fault[] = [];
  if (input !== undefined && !port.carriesInput(action)) {
    const carrying = port.actions().filter((one) => port.carriesInput(one));
    const detail = `must be left out: a call of ${action} carries no input that policies see; those of ${carrying.join(", ")} do`;
    faults.push({ pointer: "/input", code: "not_carried", detail });
  }
  if (as !== undefined && ofWorkers.has(action)) {
    const detail = `must be left out: ${action} is done by a worker of the service, whatever the role of who dispatched the task; ask it of task.dispatch`;
    faults.push({ pointer: "/as", code: "not_carried", detail });
  }
  return faults;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

export async function checkCall(ctx: WriteContext, body: CheckBody): Promise<CheckResult> {
  const { action, agent, skill, tool, model } = body;
  const { facts, version, costUsd, demand } = ctx.port(proposals).call(ctx, body);
  const budgets = await budgetsOf(ctx, agent, demands(action, costUsd));
  const context = {
    action,
    environment: ctx.scope.environment,
    ...callerOf(ctx, body),
    now: ctx.now,
    ...facts,
    ...(Object.keys(budgets.spend).length > 0 ? { spend: budgets.spend } : {}),
  };
  const gated = ctx.port(proposals).ofWholeTasks.has(action) ? version : null;
  const verdict = ctx.port(policyPort).check({
    facts: ctx.facts,
    scope: ctx.scope,
    now: ctx.now,
    version: gated,
    context,
    policies: ctx.facts.get(policyFacts).of(ctx.scope),
  });
  const of = { agent, versionId: version?.id, skill, tool, model };
  const named = Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
  const hold = ctx.port(policyPort).isAgentAction(action) ? holdOn(ctx, action, named) : null;
  const { approval, steered } = demand({
    approval: stricter(gateDemand(verdict), verdict.approval),
    tags: verdict.tags,
  });
  const fate = fateOf(verdict, {
    held: hold !== null,
    approval,
    within_limit: budgets.drawn.every(({ within_limit }) => within_limit),
  });
  const { input: _input, ...seen } = context as typeof context & { input?: unknown };
  return {
    action,
    ...fate,
    explanation: explain(fate, verdict, { hold: hold?.detail ?? null, approval, steered, budgets: budgets.drawn }),
    gate: verdict.gate && { ...verdict.gate, reasons: [...verdict.gate.reasons] },
    hold: hold && { source: hold.source, code: hold.type.code, detail: hold.detail },
    policies: verdict.policies.map(({ policy, outcome }) => ({
      policy_id: policy.id,
      version: policy.version,
      state: policy.state,
      effect: policy.effect,
      outcome,
      when: policy.when,
      reason_code: policy.reason_code,
      message: policy.message,
    })),
    approval: approval && { ...approval, reasons: [...approval.reasons] },
    tags: [...(verdict.gate?.consequence === "tag" ? [`gate:${verdict.gate.state}`] : []), ...verdict.tags],
    limits: verdict.limits,
    redact: verdict.redact && (verdict.redact.kinds === "all" ? "all" : [...verdict.redact.kinds]),
    budgets: budgets.drawn,
    context: seen,
  };
}

function callerOf({ principal, address }: WriteContext, { action, as }: CheckBody) {
  const { id, kind, role, keyId, scopes } = ofWorkers.has(action) ? systemPrincipal("worker") : principal;
  const key = { id: keyId, ...(scopes === null ? {} : { scopes }), ...(address === null ? {} : { address }) };
  return { principal: { id, kind, role: as?.role ?? role ?? "none" }, ...(keyId === null ? {} : { key }) };
}

function gateDemand({ gate }: ProposedVerdict): ApprovalDemand | null {
  if (gate?.consequence !== "require_approval") return null;
  return {
    approvers: 1,
    requester_allowed: true,
    reasons: [`The evaluation gate asks for approval: its state is ${gate.state}.`],
  };
}

type Fate = Pick<CheckResult, "verdict" | "refused_by">;

/** The first stage that refuses decides, in the order of the pipeline. */
function fateOf(
  verdict: ProposedVerdict,
  { held, approval, within_limit }: { held: boolean; approval: ApprovalDemand | null; within_limit: boolean },
): Fate {
  const refused_by =
    verdict.gate?.consequence === "deny"
      ? "evaluation_gate"
      : held
        ? "hold"
        : verdict.outcome === "deny"
          ? "policy"
          : within_limit
            ? null
            : "budget";
  if (refused_by !== null) return { verdict: "deny", refused_by };
  return { verdict: approval && verdict.waits ? "require_approval" : "allow", refused_by: null };
}

function explain(
  { verdict, refused_by }: Fate,
  { gate, policies, neverDenied }: ProposedVerdict,
  more: {
    hold: string | null;
    approval: ApprovalDemand | null;
    steered: ApprovalDemand | null;
    budgets: CheckResult["budgets"];
  },
): string {
  if (refused_by === "evaluation_gate")
    return `It would be refused: the evaluation gate of the version is ${gate?.state}.`;
  if (refused_by === "hold") return `It would be refused: ${more.hold}`;
  if (refused_by === "budget") {
    const { scope, unit, period, required, available } = more.budgets.find(
      ({ within_limit }) => !within_limit,
    ) as CheckResult["budgets"][number];
    return `It would be refused: it needs ${required} ${unit} of the budget ${scope} per ${period}, of which ${available} is left.`;
  }
  const deciding = policies.filter(
    ({ policy, outcome }) => policy.state === "active" && (outcome === "applies" || outcome === "error"),
  );
  if (refused_by === "policy") {
    const by = deciding.find(({ policy, outcome }) => policy.effect === "deny" || outcome === "error") ?? deciding[0];
    const failed = by?.outcome === "error" ? "its condition could not be evaluated" : by?.policy.message;
    return `It would be refused by ${by?.policy.id}, version ${by?.policy.version}: ${failed}`;
  }
  if (verdict === "require_approval" && more.approval) return `It would wait for ${people(more.approval)}`;
  if (neverDenied) return "It would go on: no policy can deny this action, so that nobody is locked out.";
  const on =
    deciding.length === 0
      ? "It would go on: no policy applies to it."
      : `It would go on, with what ${deciding.map(({ policy }) => policy.id).join(", ")} add.`;
  const steered =
    more.steered &&
    `In a run that has read text which could have steered it, it would wait for ${people(more.steered)}`;
  return steered ? `${on} ${steered}` : on;
}

const people = ({ approvers, reasons }: ApprovalDemand): string =>
  `${approvers} of the people who may approve: ${reasons.join(" ")}`;

const demands = (action: string, costUsd: number) =>
  action === "task.dispatch" ? { tasks: 1 } : action === "tool.call" ? { steps: 1, usd: costUsd } : {};

async function budgetsOf(ctx: WriteContext, agent: string | undefined, demand: Parameters<typeof demandOf>[1]) {
  const { id, keyId } = ctx.principal;
  const own = agent === undefined ? [] : [`agent:${agent}`];
  const scopes = ["environment", ...own, ...(keyId === null ? [] : [`key:${keyId}`]), `member:${id}`];
  const drawn: CheckResult["budgets"] = [];
  const spend: Record<string, number> = {};
  for (const scope of scopes) {
    const { limits } = budgetView(scope, await readLimits(ctx, scope));
    for (const { unit, period, available, used } of limits) {
      const kind = scope === "environment" ? scope : scope.startsWith("agent:") ? "agent" : null;
      if (unit === "usd" && kind !== null && (period === "day" || period === "month"))
        spend[`${kind}_${period}_usd`] = used;
      const required = amountOf(unit, demandOf(unit, demand));
      if (required > 0)
        drawn.push({
          scope,
          unit,
          period,
          required,
          available,
          within_limit: available === null || available >= required,
        });
    }
  }
  return { drawn, spend };
}

export interface CallVerdict {
  readonly denied: boolean;
  /** Whether an active policy could not be judged by what is known of the call, such as its arguments. */
  readonly undecided: boolean;
  readonly reasons: readonly string[];
  readonly hold: Held | null;
  readonly said: ProposedVerdict;
}

export function callVerdict(
  ctx: CallContext,
  action: string,
  facts: PolicyFacts & { readonly agent: { readonly name: string } },
): CallVerdict {
  const { facts: reader, scope, now } = ctx;
  const { id, kind, role } = systemPrincipal("worker");
  const principal = { id, kind, role: role ?? "none" };
  const context = { action, environment: scope.environment, principal, now, ...facts };
  const policies = reader.get(policyFacts).of(scope);
  const said = ctx.port(policyPort).check({ facts: reader, scope, now, version: null, context, policies });
  const active = said.policies.filter(({ policy }) => policy.state === "active");
  const denying = active.filter(({ policy, outcome }) => policy.effect === "deny" && outcome === "applies");
  const { agent, version, skill, tool } = facts;
  return {
    denied: denying.length > 0,
    undecided: active.some(({ outcome }) => outcome === "error"),
    reasons: denying.map(({ policy }) => `${policy.id}: ${policy.message}`),
    hold: holdOn(ctx, action, {
      agent: agent.name,
      ...(version && { versionId: version.id }),
      ...(skill && { skill: skill.name }),
      ...(tool && { tool: tool.name }),
    }),
    said,
  };
}
