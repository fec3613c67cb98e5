import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../../kernel/errors.ts";

// Parameters of other interfaces: what they would change decides whether they are taken, ignored or refused.

/** What becomes of a parameter. `only`: it is taken with these values, which ask for nothing; `why` says why others are refused. */
export type ParameterRule = "taken" | "ignored" | { readonly only: readonly unknown[]; readonly why: string };

export interface Judged {
  /** Names of what was sent and has no effect. */
  readonly ignored: readonly string[];
  readonly faults: readonly Fault[];
}

/** Judges the members of a body. One that is null is not there. */
export function judgeParameters(body: object, rules: Readonly<Record<string, ParameterRule>>): Judged {
  const ignored: string[] = [];
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(body)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (value === null || rule === "taken") continue;
    if (rule === "ignored") ignored.push(name);
    else if (rule === undefined)
      faults.push({
        pointer: pointerOf(name),
        code: "unknown_parameter",
        detail: "is no parameter that is known here; leave it out",
      });
    else if (!rule.only.some((allowed) => isDeepStrictEqual(allowed, value)))
      faults.push({ pointer: pointerOf(name), code: "unsupported_parameter", detail: rule.why });
  }
  return { ignored, faults };
}

export const pointerOf = (...names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The response header that names parameters without effect. */
export const ignoredHeader = (ignored: readonly string[]): Record<string, string> =>
  ignored.length > 0 ? { "X-Ignored-Parameters": ignored.join(", ") } : {};
