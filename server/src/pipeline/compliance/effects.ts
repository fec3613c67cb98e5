import { dataKinds } from "@aos/data-classes";
import { AGENT_ACTIONS } from "./actions.ts";
import { type Faults, isObject, isText } from "./faults.ts";
import { POLICY_EFFECTS, type Policy, type PolicyEffect } from "./policy.ts";

const mostTags = 20;
const longestReason = 500;
const tagName = /^[a-z][a-z0-9_.:-]{0,63}$/;

/**
 * Where an effect that shapes a run has one: bounds are given to a run with its dispatch and at its start; placeholders stand in what the run and its
 * models are given and the journal keeps, while tools are called with what stands behind them.
 */
const meaningful: Partial<Record<PolicyEffect, readonly string[]>> = {
  limit: ["task.dispatch", "task.run"],
  redact: ["task.run", "tool.call", "model.call", "chat.reply"],
};

/** The most that a bound of a run can be: each is finite, and no larger than a number that means something. */
const bounds = { steps: 10_000, seconds: 86_400, tokens: 1_000_000_000, cost_usd: 1_000_000 } as const;

/** Faults of the effect, of its parameters, and of a scope in which it would do nothing. */
export function effectFaults({ effect, params, scope }: Policy, faults: Faults): void {
  if (!(POLICY_EFFECTS as readonly unknown[]).includes(effect)) {
    faults.add("/effect", "invalid_value", `effect must be one of ${POLICY_EFFECTS.join(", ")}.`);
    return;
  }
  meaningFaults(effect, scope, faults);
  if (isObject(params)) ofParams[effect](params, faults);
  else faults.add("/params", "invalid_type", "params must be an object.");
}

function meaningFaults(effect: PolicyEffect, scope: unknown, faults: Faults): void {
  const sensible = meaningful[effect];
  if (!sensible || !isObject(scope)) return;
  const named = Array.isArray(scope.actions) ? scope.actions : null;
  // Without actions it applies to what agents do: placeholders do something in some of that, and nothing but dispatch and start gives bounds.
  if (named === null && (effect === "redact" || scope.actions !== undefined)) return;
  (named ?? AGENT_ACTIONS).forEach((action, i) => {
    if (typeof action !== "string" || sensible.includes(action)) return;
    const pointer = named === null ? "/scope/actions" : `/scope/actions/${i}`;
    if (named === null && faults.list.some((fault) => fault.pointer === pointer)) return;
    const detail = `The effect ${effect} does nothing to ${action}; name only ${sensible.join(", ")} in scope.actions.`;
    faults.add(pointer, "effect_without_meaning", detail);
  });
}

type OfParams = (params: Record<string, unknown>, faults: Faults) => void;

const none: OfParams = (params, faults) => faults.unknownMembers("/params", params, []);

const ofParams: Readonly<Record<PolicyEffect, OfParams>> = {
  deny: none,
  notify: none,
  tag(params, faults) {
    faults.unknownMembers("/params", params, ["tags"]);
    if (!Array.isArray(params.tags) || params.tags.length === 0) {
      faults.add("/params/tags", "required", "The effect tag needs params.tags, a list of at least one tag.");
      return;
    }
    const rule = "1 to 64 characters of a-z, 0-9 and _.:-, beginning with a letter";
    faults.texts("/params/tags", params.tags, mostTags, (text) => tagName.test(text), rule);
  },
  redact(params, faults) {
    faults.unknownMembers("/params", params, ["kinds"]);
    if (params.kinds === undefined) return;
    if (Array.isArray(params.kinds) && params.kinds.length === 0) {
      faults.add(
        "/params/kinds",
        "empty",
        "params.kinds is empty, so nothing would be redacted; leave it out to redact every kind.",
      );
      return;
    }
    const known: readonly string[] = dataKinds;
    faults.texts(
      "/params/kinds",
      params.kinds,
      known.length,
      (text) => known.includes(text),
      `one of ${known.join(", ")}`,
    );
  },
  limit(params, faults) {
    const names = Object.keys(bounds) as (keyof typeof bounds)[];
    faults.unknownMembers("/params", params, names);
    if (names.every((name) => params[name] === undefined)) {
      faults.add("/params", "required", `The effect limit needs at least one of ${names.join(", ")} in params.`);
    }
    for (const name of names) {
      const value = params[name];
      const whole = name !== "cost_usd";
      const fits =
        typeof value === "number" &&
        value <= bounds[name] &&
        (whole ? Number.isInteger(value) && value >= 1 : value >= 0);
      if (value === undefined || fits) continue;
      const rule = whole
        ? `a whole number from 1 to ${bounds[name]}`
        : `a number of US dollars from 0 to ${bounds[name]}`;
      faults.add(`/params/${name}`, "invalid_value", `${name} must be ${rule}.`);
    }
  },
  require_approval(params, faults) {
    faults.unknownMembers("/params", params, ["approvers", "requester_allowed", "reason"]);
    const { approvers, requester_allowed: requester, reason } = params;
    if (
      approvers !== undefined &&
      !(Number.isInteger(approvers) && (approvers as number) >= 1 && (approvers as number) <= 5)
    ) {
      faults.add("/params/approvers", "invalid_value", "approvers must be a whole number from 1 to 5.");
    }
    if (requester !== undefined && typeof requester !== "boolean") {
      faults.add("/params/requester_allowed", "invalid_type", "requester_allowed must be true or false.");
    }
    if (reason !== undefined && !isText(reason, longestReason)) {
      faults.add("/params/reason", "invalid_value", `reason must have 1 to ${longestReason} characters.`);
    }
  },
};
