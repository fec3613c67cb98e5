import { definePort } from "./port.ts";
import type { Scope } from "./principal.ts";

/** Which model says how well texts answer a question. */
export interface RerankModel {
  /** The connection's name in the environment. */
  readonly connection: string;
  /** The model's name at the provider. */
  readonly model: string;
  /** `tei`: as Hugging Face's Text Embeddings Inference is asked; else as Cohere, Jina and vLLM are. */
  readonly interface?: "cohere" | "tei";
}

/** Asks models that read a question together with a text (cross-encoders), by the connections of an environment. */
export interface Reranker {
  /**
   * How well each text answers the query; comparable within one call only. Throws where the provider does not answer
   * in time, or with something else.
   */
  rerank(scope: Scope, model: RerankModel, query: string, texts: readonly string[]): Promise<readonly number[]>;
  /** Why the model's last call failed, for people; null: it did not. */
  failureOf(scope: Scope, model: RerankModel): string | null;
}

export const reranker = definePort<Reranker>("reranker");
