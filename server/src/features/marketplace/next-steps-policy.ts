import { isoTime } from "../../kernel/clock.ts";
import { strongEtag } from "../../kernel/etag.ts";
import type { NextStep } from "./install-schemas.ts";
import type { PolicyProgress } from "./progress-store.ts";

/** Activates a policy: its newest version again, in force. */
export function activateStep(policy: PolicyProgress): NextStep {
  return {
    ...{ step: "activate", title: `Activate the policy ${policy.name}`, done: policy.state === "active" },
    ...{ operation: "governance.replacePolicy", params: { policy: policy.id } },
    body: { ...policyText(policy), state: "active", note: "Activated as installed." },
    if_match: strongEtag(policy.version, "json"),
  };
}

/** A policy's text, as a body has it. */
function policyText({ name, definition, effective_from, effective_until }: PolicyProgress): Record<string, unknown> {
  const members = ["scope", "when", "effect", "params", "reason_code", "message", "controls"];
  const said = members.flatMap((member): [string, unknown][] => {
    const value = definition[member];
    const none = value === undefined || value === null || isEmpty(value);
    return none ? [] : [[member, value]];
  });
  return {
    ...{ name, ...Object.fromEntries(said) },
    ...(effective_from && { effective_from: isoTime(effective_from) }),
    ...(effective_until && { effective_until: isoTime(effective_until) }),
  };
}

const isEmpty = (value: unknown): boolean => typeof value === "object" && Object.keys(value as object).length === 0;
