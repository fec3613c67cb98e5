import { definePort } from "./port.ts";
import type { Scope } from "./principal.ts";

/** Which model makes vectors of texts. */
export interface EmbeddingModel {
  /** The connection's name in the environment. */
  readonly connection: string;
  /** The model's name at the provider. */
  readonly model: string;
  /** Dimensions that are asked for; without it those that the model has. */
  readonly dimensions?: number;
  /** US dollars per million tokens, where the list has no price. */
  readonly price?: number;
}

export interface Embedded {
  /** One per text, as the provider made it. */
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
}

/** A model that is ready to be asked. */
export interface OpenEmbedding {
  /** US dollars; null: nobody knows. */
  costOf(tokens: number): number | null;
  /** Where its price stands, and as of when; null: nowhere. */
  readonly price: string | null;
  /** About how many tokens the texts have; rather too many. */
  estimate(texts: readonly string[]): number;
  /** Throws a failure whose `code` begins with `provider_`. `patient`: repeats what a rate limit or the network stopped. */
  embed(
    texts: readonly string[],
    options: { readonly patient: boolean; readonly signal?: AbortSignal },
  ): Promise<Embedded>;
}

/** Makes vectors of texts by the connections of an environment. */
export interface Embedder {
  /** Throws a failure whose `code` begins with `provider_` where the connection is missing or cannot embed. */
  open(scope: Scope, model: EmbeddingModel): Promise<OpenEmbedding>;
}

export const embedder = definePort<Embedder>("embedder");
