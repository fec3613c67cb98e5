import type { Findings } from "./findings.ts";
import type { RuleId } from "./rules.ts";
import { visible } from "./snippet.ts";
import type { Structure } from "./source.ts";

const RESTRICTING = new Set(["deny", "require_approval", "redact", "limit"]);
const EFFECTS = new Set([...RESTRICTING, "notify", "tag"]);
/** Two literals that differ, or the same one negated. */
const NEVER =
  /^\s*(?:false|!\s*true|(\d{1,15})\s*==\s*(?!\1\s*$)\d{1,15}|(\d{1,15})\s*!=\s*\2|false\s*&&.*|.*&&\s*false)\s*$/;
const [MOST_STEPS, MOST_SECONDS, MOST_COST, MOST_TOKENS] = [1_000, 86_400, 1_000, 100_000_000];

/** Finds policies of a pack that restrict nothing or less than they seem to. */
export function findInPolicies(policies: readonly Structure[], findings: Findings): void {
  for (const one of policies) checkPolicy(one, findings);
  const effects = policies.map(({ value }) => (value as { effect?: unknown } | null)?.effect);
  const first = policies[0];
  if (first && effects.every((effect) => !RESTRICTING.has(String(effect))))
    findings.add({
      rule: "policy.no-effect",
      path: first.path,
      ...first.place(""),
      what: "No policy of the bundle restricts anything.",
      snippet: "",
    });
}

function checkPolicy({ path, value, place }: Structure, findings: Findings): void {
  if (typeof value !== "object" || value === null) return;
  const { when, effect, params, state } = value as Record<string, unknown>;
  const add = (rule: RuleId, pointer: string, what: string, shown: unknown): void =>
    findings.add({ rule, path, ...place(pointer), what, snippet: visible(String(shown).slice(0, 120)) });
  if (!EFFECTS.has(String(effect)))
    add("policy.unknown-effect", "/effect", "The effect of a policy is none that there is.", effect);
  if (typeof when === "string" && NEVER.test(when.slice(0, 2_000)))
    add("policy.no-effect", "/when", "The condition of a policy is never true.", when);
  const bounds = (typeof params === "object" && params !== null ? params : {}) as Record<string, unknown>;
  if (bounds.requester_allowed === true)
    add("policy.self-approval", "/params", "A policy lets who asks approve it.", "requester_allowed: true");
  if (Number(bounds.approvers) < 1)
    add("policy.no-effect", "/params", "A policy asks for nobody's approval.", "approvers");
  const isWide =
    Number(bounds.steps) >= MOST_STEPS ||
    Number(bounds.seconds) >= MOST_SECONDS ||
    Number(bounds.cost_usd) >= MOST_COST ||
    Number(bounds.tokens) >= MOST_TOKENS;
  if (effect === "limit" && isWide)
    add("policy.no-effect", "/params", "The limits of a policy are so wide that they limit nothing.", "params");
  if (state === "active") add("policy.active", "/state", "A policy asks to be active at once.", "state: active");
}
