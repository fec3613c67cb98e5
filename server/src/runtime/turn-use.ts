import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { createMeter } from "./models/providers/usage.ts";
import { type TurnTokens, tokensIn } from "./turn.ts";

const unreported: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const content: ReadonlySet<string> = new Set(["text-delta", "reasoning-delta", "tool-input-delta", "tool-call"]);

/**
 * What a turn has used so far, for one that breaks off. What its provider reported counts; else, from the first piece of an answer on, what the model was shown and
 * what it has written, estimated. A provider that refuses, fails or says nothing costs nothing.
 */
export class TurnUse {
  readonly #meter: ReturnType<typeof createMeter>;
  #answers = false;
  #reported: LanguageModelV4Usage | null = null;

  constructor(options: Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat">) {
    this.#meter = createMeter(options);
  }

  see(part: LanguageModelV4StreamPart): void {
    this.#meter.see(part);
    if (part.type === "finish") this.#reported = part.usage;
    else this.#answers ||= content.has(part.type);
  }

  get tokens(): TurnTokens {
    if (this.#reported === null && !this.#answers) return { input: 0, cached: 0, cacheWrite: 0, output: 0 };
    return tokensIn(this.#meter.fill(this.#reported ?? unreported));
  }
}
