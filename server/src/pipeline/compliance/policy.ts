import { type Environment, environments } from "../../kernel/principal.ts";

export const POLICY_STATES = ["draft", "shadow", "active", "retired"] as const;
export type PolicyState = (typeof POLICY_STATES)[number];

export const POLICY_EFFECTS = ["deny", "require_approval", "redact", "limit", "notify", "tag"] as const;
export type PolicyEffect = (typeof POLICY_EFFECTS)[number];
/** Effects that calls feel today; the others are refused when a policy is compiled, so that none is silently without effect. */
export const ENFORCED_EFFECTS = ["deny", "require_approval", "tag"] as const;
export type EnforcedEffect = (typeof ENFORCED_EFFECTS)[number];

/** What a policy is about. An absent member does not narrow, save `actions`: without it, what agents do (`AGENT_ACTIONS`). */
export interface PolicyScope {
  /** Names of actions, such as `task.dispatch`. */
  readonly actions?: readonly string[];
  /** Names of agents; `*` stands for any run of characters, `?` for one. */
  readonly agents?: readonly string[];
  readonly environments?: readonly Environment[];
}

export interface ApprovalParams {
  /** How many people must approve, 1 to 5; 1 when absent. */
  readonly approvers?: number;
  /** Whether the person who asked may be one of them; true when absent. The strictest of all demands counts. */
  readonly requester_allowed?: boolean;
  /** Shown to the approver; the policy's message when absent. */
  readonly reason?: string;
}

export interface TagParams {
  readonly tags: readonly string[];
}

export type PolicyParams = ApprovalParams | TagParams | Readonly<Record<string, never>>;

/** A policy as it is stored. Versions are immutable: (id, version) names one text for ever. */
export interface Policy {
  readonly id: string;
  readonly version: number;
  readonly state: PolicyState;
  readonly scope: PolicyScope;
  /** A CEL expression over the policy context whose result is boolean: true means that the effect applies. */
  readonly when: string;
  readonly effect: PolicyEffect;
  readonly params: PolicyParams;
  readonly reason_code: string;
  readonly message: string;
  /** Controls of frameworks that this policy implements, such as `soc2:CC6.1`. */
  readonly controls: readonly string[];
  /** Milliseconds since the epoch; null: no bound. It holds from `effective_from` on, and ends at `effective_until`, exclusive. */
  readonly effective_from: number | null;
  readonly effective_until: number | null;
}

/** One fault of a policy. `line` and `column` count from 1, `offset` from 0 in UTF-16 units; they are there where `pointer` is `/when`. */
export interface PolicyFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line?: number;
  readonly column?: number;
  readonly offset?: number;
}

/** The reason code of a policy that could not be evaluated; no policy can take it for its own. */
export const POLICY_ERROR = "policy_error";

const limits = { actions: 100, agents: 100, controls: 50, tags: 20, message: 500, reason: 500, control: 100 } as const;
const actionName = /^[a-z][a-z_]*(\.[a-z][a-z_]*)*$/;
const agentPattern = /^[a-z0-9_*?-]{1,64}$/;
const tagName = /^[a-z][a-z0-9_.:-]{0,63}$/;
const reasonCode = /^[a-z][a-z0-9_]{0,63}$/;
const policyId = /^pol_[0-9a-z]{1,64}$/;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown, most: number): value is string => typeof value === "string" && value.length > 0 && value.length <= most;

/** Collects faults of one policy. */
class Faults {
  readonly list: PolicyFault[] = [];

  add(pointer: string, code: string, detail: string): void {
    this.list.push({ pointer, code, detail });
  }

  /** A list of texts, each of which passes `test`; absent is fine. */
  texts(pointer: string, value: unknown, most: number, test: (text: string) => boolean, rule: string): void {
    if (!Array.isArray(value)) {
      this.add(pointer, "invalid_type", `${pointer} must be a list of texts.`);
      return;
    }
    if (value.length > most) this.add(pointer, "too_many", `${pointer} has ${value.length} members; at most ${most} are allowed.`);
    value.forEach((text, i) => {
      if (typeof text !== "string" || !test(text)) this.add(`${pointer}/${i}`, "invalid_value", `${pointer}/${i} must be ${rule}.`);
    });
  }

  unknownMembers(pointer: string, value: Record<string, unknown>, known: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const remedy = known.length > 0 ? `Known: ${known.join(", ")}.` : "It takes none.";
      this.add(
        `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        "unknown_member",
        `${name} is not a member here. ${remedy}`,
      );
    }
  }
}

/** All faults of a policy besides those of its expression. Never throws, whatever the members are. */
export function policyFaults(policy: Policy): PolicyFault[] {
  const faults = new Faults();
  if (typeof policy.id !== "string" || !policyId.test(policy.id)) faults.add("/id", "invalid_value", "id must have the form pol_<id>.");
  if (!Number.isSafeInteger(policy.version) || policy.version < 1)
    faults.add("/version", "invalid_value", "version must be a whole number from 1 on.");
  if (!POLICY_STATES.includes(policy.state)) faults.add("/state", "invalid_value", `state must be one of ${POLICY_STATES.join(", ")}.`);
  scopeFaults(policy.scope, faults);
  if (effectFaults(policy.effect, faults)) paramsFaults(policy.effect as EnforcedEffect, policy.params, faults);
  if (typeof policy.reason_code !== "string" || !reasonCode.test(policy.reason_code)) {
    faults.add("/reason_code", "invalid_value", "reason_code must be 1 to 64 characters of a-z, 0-9 and _, and begin with a letter.");
  } else if (policy.reason_code === POLICY_ERROR) {
    faults.add("/reason_code", "reserved", `${POLICY_ERROR} is what a policy that fails answers; choose another code.`);
  }
  if (!isText(policy.message, limits.message))
    faults.add("/message", "invalid_value", `message must have 1 to ${limits.message} characters.`);
  faults.texts("/controls", policy.controls, limits.controls, (text) => isText(text, limits.control), `1 to ${limits.control} characters`);
  windowFaults(policy.effective_from, policy.effective_until, faults);
  return faults.list;
}

function scopeFaults(scope: unknown, faults: Faults): void {
  if (!isObject(scope)) {
    faults.add("/scope", "invalid_type", "scope must be an object; {} stands for all that agents do.");
    return;
  }
  faults.unknownMembers("/scope", scope, ["actions", "agents", "environments"]);
  for (const name of ["actions", "agents", "environments"] as const) {
    const value = scope[name];
    if (Array.isArray(value) && value.length === 0) {
      faults.add(`/scope/${name}`, "empty", `/scope/${name} is empty, so the policy would never apply; leave it out to not narrow.`);
    }
  }
  if (scope.actions !== undefined) {
    faults.texts(
      "/scope/actions",
      scope.actions,
      limits.actions,
      (text) => text.length <= 64 && actionName.test(text),
      "the name of an action, such as task.dispatch",
    );
  }
  if (scope.agents !== undefined) {
    faults.texts(
      "/scope/agents",
      scope.agents,
      limits.agents,
      (text) => agentPattern.test(text),
      "the name of an agent, in which * stands for any run of characters",
    );
  }
  if (scope.environments !== undefined) {
    const known: readonly string[] = environments;
    faults.texts(
      "/scope/environments",
      scope.environments,
      environments.length,
      (text) => known.includes(text),
      `one of ${environments.join(", ")}`,
    );
  }
}

function effectFaults(effect: unknown, faults: Faults): effect is EnforcedEffect {
  if ((ENFORCED_EFFECTS as readonly unknown[]).includes(effect)) return true;
  if ((POLICY_EFFECTS as readonly unknown[]).includes(effect)) {
    const instead = { redact: "deny or require_approval", limit: "require_approval or deny", notify: "tag" }[
      effect as "redact" | "limit" | "notify"
    ];
    faults.add("/effect", "effect_not_available", `The effect ${String(effect)} is not available yet: use ${instead}.`);
  } else {
    faults.add("/effect", "invalid_value", `effect must be one of ${ENFORCED_EFFECTS.join(", ")}.`);
  }
  return false;
}

function paramsFaults(effect: EnforcedEffect, params: unknown, faults: Faults): void {
  if (!isObject(params)) {
    faults.add("/params", "invalid_type", "params must be an object.");
    return;
  }
  if (effect === "deny") {
    faults.unknownMembers("/params", params, []);
    return;
  }
  if (effect === "tag") {
    faults.unknownMembers("/params", params, ["tags"]);
    if (!Array.isArray(params.tags) || params.tags.length === 0) {
      faults.add("/params/tags", "required", "The effect tag needs params.tags, a list of at least one tag.");
      return;
    }
    faults.texts(
      "/params/tags",
      params.tags,
      limits.tags,
      (text) => tagName.test(text),
      "1 to 64 characters of a-z, 0-9 and _.:-, beginning with a letter",
    );
    return;
  }
  faults.unknownMembers("/params", params, ["approvers", "requester_allowed", "reason"]);
  const { approvers, requester_allowed: requester, reason } = params;
  if (approvers !== undefined && !(Number.isInteger(approvers) && (approvers as number) >= 1 && (approvers as number) <= 5)) {
    faults.add("/params/approvers", "invalid_value", "approvers must be a whole number from 1 to 5.");
  }
  if (requester !== undefined && typeof requester !== "boolean") {
    faults.add("/params/requester_allowed", "invalid_type", "requester_allowed must be true or false.");
  }
  if (reason !== undefined && !isText(reason, limits.reason)) {
    faults.add("/params/reason", "invalid_value", `reason must have 1 to ${limits.reason} characters.`);
  }
}

function windowFaults(from: unknown, until: unknown, faults: Faults): void {
  const isTime = (value: unknown): boolean => value === null || Number.isFinite(value);
  if (!isTime(from)) faults.add("/effective_from", "invalid_type", "effective_from must be a time, or null for no bound.");
  if (!isTime(until)) faults.add("/effective_until", "invalid_type", "effective_until must be a time, or null for no bound.");
  if (typeof from === "number" && typeof until === "number" && until <= from) {
    faults.add("/effective_until", "invalid_value", "effective_until must be later than effective_from.");
  }
}
