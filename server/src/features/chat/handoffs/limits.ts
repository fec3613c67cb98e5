import type { CallContext } from "../../../kernel/context.ts";
import { type HandoffCall, ruleForLimits } from "../../../kernel/handoff.ts";
import { budgetExhausted } from "../../../kernel/problems.ts";
import { teamFacts } from "../../admin/public.ts";
import type { Answering } from "../turns/answering.ts";

/** What an agent's file says of a message that no budget pays for; undefined: nothing, or its team was removed. */
export function handingWithoutBudget(
  { facts, scope }: Pick<CallContext, "facts" | "scope">,
  answering: Pick<Answering, "definition"> | null | undefined,
): HandoffCall | undefined {
  const call = ruleForLimits(answering?.definition.handoff ?? {}, budgetExhausted.code);
  return call && facts.get(teamFacts).find(scope, call.team) ? call : undefined;
}
