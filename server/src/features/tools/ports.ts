import { definePort } from "../../kernel/port.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { HttpToolDefinition } from "../agents/schemas.ts";

interface RenderedRequest {
  readonly method: string;
  readonly url: string;
  /** With words in place of what the connection adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface Failure {
  readonly code: string;
  readonly detail: string;
}

/** `outcome` null: it was not sent. */
export type TriedRequest =
  | { readonly request: null; readonly failure: Failure }
  | {
      readonly request: RenderedRequest;
      readonly outcome: { readonly output: unknown } | { readonly failure: Failure } | null;
    };

export interface ToolPort {
  /** Renders a call's request and, for a reading tool and `send`, sends it. Takes at most 15 s. Null: too many calls at a time. */
  attempt(
    scope: Scope,
    tried: {
      readonly tool: HttpToolDefinition;
      readonly connection: string | null;
      readonly args: Readonly<Record<string, unknown>>;
      readonly send: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<TriedRequest | null>;
}
export const toolPort = definePort<ToolPort>("tools");
