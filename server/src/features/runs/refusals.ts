import { businessFailure, Refusal } from "../../kernel/errors.ts";
import { agentPaused, budgetExhausted, conflict, killSwitchEngaged, policyBlocked } from "../../kernel/problems.ts";
import type { Failure } from "../tasks/schemas.ts";

// What refusals of calls that a worker makes come to.

/** Whether an error is a refusal of one of these kinds. */
export const is = (error: unknown, ...types: { code: string }[]): error is Refusal =>
  error instanceof Refusal && types.some((type) => type.code === error.type.code);

/** Why a tool was not called whose connection is not there. */
export const noConnection = (name: string): Failure => ({
  code: "connection_missing",
  detail: `The tool names the connection ${name}, and there is none of that name in this environment: add it with POST /v1/admin/connections.`,
});

/** What a refusal of a step comes to; undefined: it is a fault. */
export function keptBy(error: unknown) {
  if (is(error, conflict)) return { kind: "lost" } as const;
  const seconds = waitOf(error);
  if (seconds !== undefined) return { kind: "later", seconds, failure: businessFailure(error) } as const;
  if (is(error, policyBlocked, budgetExhausted)) return { kind: "refused", failure: businessFailure(error) } as const;
  if (is(error, killSwitchEngaged, agentPaused))
    return { kind: "held", hold: holdIn(error), failure: businessFailure(error) } as const;
  return undefined;
}

/** How long to wait (seconds) where a budget has room that calls under way hold; undefined: it is no such refusal. */
function waitOf(error: unknown): number | undefined {
  if (!is(error, budgetExhausted)) return undefined;
  const { members, headers } = error.details;
  const { budget } = (members ?? {}) as { readonly budget?: { readonly reserved?: number } };
  return budget?.reserved === undefined ? undefined : Number(headers?.["Retry-After"] ?? 1);
}

/** What a refusal by a stop or pause says of the run. */
function holdIn({ details }: Refusal): "give_back" | "stop" {
  const { kill_switch: stop } = (details.members ?? {}) as { readonly kill_switch?: { readonly mode: string } };
  return stop?.mode === "pause" ? "give_back" : "stop";
}
