/** The providers of models that are called over the network. */
export const modelProviders = ["anthropic", "openai", "openai-compatible"] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** Where a provider's own interface is, without a slash at its end; a server that only speaks OpenAI's interface has no such place. */
export const ownAddresses: Readonly<Partial<Record<ModelProvider, string>>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
};
