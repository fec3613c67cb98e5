import { environments } from "../../kernel/principal.ts";
import { effectFaults } from "./effects.ts";
import { Faults, isObject, isText } from "./faults.ts";
import { POLICY_ERROR, POLICY_STATES, type Policy, type PolicyFault } from "./policy.ts";

/** Most actions, and most agents, of a scope. */
const mostNames = 100;
const limits = { controls: 50, message: 500, control: 100 } as const;
const actionName = /^[a-z][a-z_]*(\.[a-z][a-z_]*)*$/;
const agentPattern = /^[a-z0-9_*?-]{1,64}$/;
const reasonCode = /^[a-z][a-z0-9_]{0,63}$/;
const policyId = /^pol_[0-9a-z]{1,64}$/;

/** All faults of a policy besides those of its expression. Never throws, whatever the members are. */
export function policyFaults(policy: Policy): PolicyFault[] {
  const faults = new Faults();
  if (typeof policy.id !== "string" || !policyId.test(policy.id))
    faults.add("/id", "invalid_value", "id must have the form pol_<id>.");
  if (!Number.isSafeInteger(policy.version) || policy.version < 1)
    faults.add("/version", "invalid_value", "version must be a whole number from 1 on.");
  if (!POLICY_STATES.includes(policy.state))
    faults.add("/state", "invalid_value", `state must be one of ${POLICY_STATES.join(", ")}.`);
  scopeFaults(policy.scope, faults);
  effectFaults(policy, faults);
  if (typeof policy.reason_code !== "string" || !reasonCode.test(policy.reason_code)) {
    faults.add(
      "/reason_code",
      "invalid_value",
      "reason_code must be 1 to 64 characters of a-z, 0-9 and _, and begin with a letter.",
    );
  } else if (policy.reason_code === POLICY_ERROR) {
    faults.add("/reason_code", "reserved", `${POLICY_ERROR} is what a policy that fails answers; choose another code.`);
  }
  if (!isText(policy.message, limits.message))
    faults.add("/message", "invalid_value", `message must have 1 to ${limits.message} characters.`);
  faults.texts(
    "/controls",
    policy.controls,
    limits.controls,
    (text) => isText(text, limits.control),
    `1 to ${limits.control} characters`,
  );
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
      faults.add(
        `/scope/${name}`,
        "empty",
        `/scope/${name} is empty, so the policy would never apply; leave it out to not narrow.`,
      );
    }
  }
  if (scope.actions !== undefined) {
    faults.texts(
      "/scope/actions",
      scope.actions,
      mostNames,
      (text) => text.length <= 64 && actionName.test(text),
      "the name of an action, such as task.dispatch",
    );
  }
  if (scope.agents !== undefined) {
    faults.texts(
      "/scope/agents",
      scope.agents,
      mostNames,
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

function windowFaults(from: unknown, until: unknown, faults: Faults): void {
  const isTime = (value: unknown): boolean => value === null || Number.isFinite(value);
  if (!isTime(from))
    faults.add("/effective_from", "invalid_type", "effective_from must be a time, or null for no bound.");
  if (!isTime(until))
    faults.add("/effective_until", "invalid_type", "effective_until must be a time, or null for no bound.");
  if (typeof from === "number" && typeof until === "number" && until <= from) {
    faults.add("/effective_until", "invalid_value", "effective_until must be later than effective_from.");
  }
}
