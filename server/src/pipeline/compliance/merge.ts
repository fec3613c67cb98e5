import { stricter, strictest, united } from "../../kernel/verdict.ts";
import type { Verdict } from "./evaluate.ts";

const verdicts = ["allow", "require_approval", "deny"] as const;

/** What the same policies say of two actions of one call, as one: the stricter word, and all that was said. */
export function bothOf(a: Verdict, b: Verdict): Verdict {
  return {
    verdict: verdicts[Math.max(verdicts.indexOf(a.verdict), verdicts.indexOf(b.verdict))] ?? "deny",
    reasons: [...a.reasons, ...b.reasons],
    tags: [...new Set([...a.tags, ...b.tags])],
    approval: stricter(a.approval, b.approval),
    limits: b.limits ? strictest(a.limits, b.limits) : a.limits,
    redact: b.redact ? united(a.redact, b.redact) : a.redact,
    notified: [...a.notified, ...b.notified],
    shadow: [...a.shadow, ...b.shadow],
    exempt: [...a.exempt, ...b.exempt],
    evaluated: a.evaluated + b.evaluated,
    policy_version: a.policy_version,
  };
}
