import type { JsonSchema } from "@aos/json-schema";

// What a version says about its model and its tools, as the runtime reads it: the agents slice's definitions fit.

/** How a provider's model is called. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly seed?: number;
  /** How often a final answer is asked for again to see whether it agrees; none where left out. */
  readonly confidence_samples?: number;
  readonly base_url?: string;
  /** US dollars per million tokens, in place of what the list of prices says. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** The built-in model. */
export interface BuiltinSpec {
  readonly provider: "builtin";
}

/** A model that another service runs. */
export interface ProviderSpec {
  readonly provider: "anthropic" | "openai" | "openai-compatible";
  readonly name: string;
  /** The connection that holds the credentials, by name. */
  readonly connection?: string;
  readonly settings?: ModelSettings;
}

export type ModelSpec = BuiltinSpec | ProviderSpec;

/** A model's name, as stops, policies and steps name it. */
export function modelName(spec: ModelSpec): string {
  return spec.provider === "builtin" ? "builtin" : spec.name;
}

interface ToolFrame {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; without it the kind says what they are. */
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface RecordSpec extends ToolFrame {
  readonly kind: "record";
  readonly base: string;
}

export interface SearchSpec extends ToolFrame {
  readonly kind: "search";
  /** The bases it searches, by name. */
  readonly bases?: readonly string[];
}

/** One request, or one operation of an OpenAPI description. */
export interface HttpSpec extends ToolFrame {
  readonly kind: "http";
  readonly effect: "read" | "write";
  readonly connection?: string;
  readonly request?: {
    readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
    readonly url: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly openapi?: { readonly url: string; readonly operation: string };
  /** The header that carries the step's key: by it the receiver knows a repeated call. */
  readonly idempotency?: { readonly header: string };
}

/** A function that the caller of a conversation runs. */
export interface CallerSpec extends ToolFrame {
  readonly kind: "caller";
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type ToolSpec = RecordSpec | SearchSpec | HttpSpec | CallerSpec;

/** What a version's skill has learnt, as the built-in model's trainer wrote it. */
export interface SkillModel {
  readonly digest: string;
  readonly artifact: Uint8Array;
}

export type { JsonSchema };
