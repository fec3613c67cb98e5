import { type ModelProvider, ownAddresses } from "../../../kernel/provider-addresses.ts";

export type ProviderName = ModelProvider;

/** Which model is called, and how: the `model` of an agent's definition, unless that is the built-in one. */
export interface ProviderModelDefinition {
  readonly provider: ProviderName;
  /** The model's name at the provider. */
  readonly name: string;
  readonly settings?: ProviderModelSettings;
}

/** What holds for every call that does not say otherwise. */
export interface ProviderModelSettings {
  /** Up to and with the version: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
  readonly base_url?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly seed?: number;
}

/** The address that the model's calls go under, without a slash at its end; undefined where neither the definition nor the provider has one. */
export function baseUrlOf({
  provider,
  settings,
}: Pick<ProviderModelDefinition, "provider" | "settings">): string | undefined {
  return (settings?.base_url ?? ownAddresses[provider])?.replace(/\/+$/, "");
}

/** What people call whom a definition speaks to: the provider, or the host of a server of one's own. */
export function titleOf(definition: Pick<ProviderModelDefinition, "provider" | "settings">): string {
  const own = definition.settings?.base_url;
  if (own === undefined || own === ownAddresses[definition.provider])
    return { anthropic: "Anthropic", openai: "OpenAI", "openai-compatible": "The server" }[definition.provider];
  return URL.canParse(own) ? `The server ${new URL(own).host}` : "The server";
}
