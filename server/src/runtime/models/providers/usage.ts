import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";

/** Bytes of UTF-8 that are counted as a token where nobody counted: English has about four, other scripts fewer. */
const bytesPerToken = 3;

/** About how many tokens a text has; rather too many than too few. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Counts along with one call, for providers that do not report what was used: what nobody counts would be free. */
export interface Meter {
  /** Looks at what the model says. */
  see(part: LanguageModelV4StreamPart): void;
  /** The tokens that the provider reported, and an estimate of those that it did not; `raw` then says `estimated`. */
  fill(usage: LanguageModelV4Usage): LanguageModelV4Usage;
}

/** A count that a provider reported; undefined where that is none: less than nothing, or no end. */
const believed = (tokens: number | undefined): number | undefined =>
  tokens !== undefined && tokens >= 0 && Number.isFinite(tokens) ? tokens : undefined;

export function createMeter({
  prompt,
  tools,
  responseFormat,
}: Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat">): Meter {
  let said = 0;
  const count = (text: string): void => {
    said += Buffer.byteLength(text);
  };
  return {
    see(part) {
      if (part.type === "text-delta" || part.type === "reasoning-delta") count(part.delta);
      else if (part.type === "tool-call") count(`${part.toolName}${part.input}`);
    },
    fill(usage) {
      const { inputTokens, outputTokens } = usage;
      const [read, written] = [believed(inputTokens.total), believed(outputTokens.total)];
      if (read !== undefined && written !== undefined) return usage;
      const input = read ?? estimateTokens(JSON.stringify([prompt, tools, responseFormat]));
      return {
        inputTokens: { ...inputTokens, total: input },
        outputTokens: { ...outputTokens, total: written ?? Math.ceil(said / bytesPerToken) },
        raw: { ...usage.raw, estimated: true },
      };
    },
  };
}
