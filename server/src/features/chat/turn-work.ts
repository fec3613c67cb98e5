import type { CallContext } from "../../kernel/context.ts";
import { chatSkill, type LiveSkill } from "../agents/public.ts";
import { type PinnedWork, riskOf, startingTrust } from "../tasks/public.ts";
import type { Answering } from "./turn-version.ts";

/** What the task of a turn is given. `after`: number of the last message that the agent sees before this one. */
export interface TurnInput extends Record<string, unknown> {
  readonly message: string;
  readonly conversation: string;
  readonly after: number;
  readonly files?: readonly string[];
}

const readings = new WeakMap<LiveSkill, LiveSkill>();

/** The skill without the tools that write: each call of those is judged by itself, and asks people by itself. */
function readingOf(skill: LiveSkill): LiveSkill {
  const known = readings.get(skill) ?? { ...skill, tools: skill.tools.filter(({ effect }) => effect === "read") };
  readings.set(skill, known);
  return known;
}

/** The facts that policies on a message see, and the work that follows from it. */
export function turnFacts(ctx: CallContext, { agent, version, skill }: Answering, input: TurnInput) {
  const trust = startingTrust(ctx, version.id, chatSkill);
  const risk = riskOf(readingOf(skill), trust.low);
  const { level, score, impact, likelihood } = risk;
  return {
    agent,
    version: { number: version.number, id: version.id },
    skill: { name: chatSkill },
    input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    work: { version, skill, input, trust, risk } satisfies PinnedWork,
  };
}
