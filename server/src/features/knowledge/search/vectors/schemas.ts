import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../../kernel/schema-words.ts";

export const Embedding = Type.Object(
  {
    connection: Type.String({
      pattern: "^[a-z][a-z0-9_-]{0,63}$",
      description: "A connection of the environment, of kind `openai` or `openai-compatible`.",
    }),
    model: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The model's name at the provider, such as `text-embedding-3-small`.",
    }),
    dimensions: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 4000, description: "Dimensions to ask for. Left out: those of the model." }),
    ),
    price: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1000,
        description: "US dollars per million tokens, for budgets, where the list has no price of the model.",
      }),
    ),
  },
  {
    ...closed,
    description:
      "The model that makes vectors of its texts, so that searches also find what means the same in other words. Personal data leaves as placeholders.",
  },
);
export type Embedding = Static<typeof Embedding>;

export const Reranker = Type.Object(
  {
    connection: Type.String({
      pattern: "^[a-z][a-z0-9_-]{0,63}$",
      description:
        "A connection of the environment, of kind `openai-compatible`; `/rerank` is asked under its address.",
    }),
    model: Type.String({ minLength: 1, maxLength: 200, description: "The model's name at the provider." }),
    interface: Type.Optional(
      Type.Enum(["cohere", "tei"] as const, {
        default: "cohere",
        description: "`cohere`: as Cohere, Jina and vLLM are asked. `tei`: as Text Embeddings Inference is.",
      }),
    ),
  },
  {
    ...closed,
    description:
      "A model that orders the 30 best passages once more, reading each with the question. Where it does not answer in two seconds, the plain order stays. Personal data leaves as placeholders.",
  },
);
export type Reranker = Static<typeof Reranker>;

export const VectorHealth = Type.Object(
  {
    embedded: Count("Chunks that have a vector."),
    of: Count("Chunks that are searched, with and without one."),
    failing: Count("Chunks that the provider refuses."),
    dimensions: nullable(Type.Integer(), "Of its vectors; null: there are none yet."),
    indexed: Type.Boolean({ description: "Whether pgvector indexes them; else the search compares them one by one." }),
    tokens: Count("Tokens used so far."),
    usd: Type.Number({ description: "US dollars spent so far, as far as prices are known." }),
    error: nullable(
      Type.Object({ code: Type.String(), detail: Type.String(), at: Time }),
      "Why embedding does not go on; it is tried again. Null: it goes on, or is done.",
    ),
  },
  { description: "Vectors of a base that names an embedding. Searches work without them meanwhile." },
);
export type VectorHealth = Static<typeof VectorHealth>;
