/**
 * Why an operation of an OpenAPI description cannot be called: `openapi_unavailable` (not fetched), `openapi_invalid` (not understood), `openapi_unsupported` (it asks for
 * what is not made), `operation_unknown`, `wrong_effect`, `tool_invalid`. The message is a sentence for people.
 */
export class OpenApiError extends Error {
  override readonly name = "OpenApiError";
  readonly code:
    | "openapi_unavailable"
    | "openapi_invalid"
    | "openapi_unsupported"
    | "operation_unknown"
    | "wrong_effect"
    | "tool_invalid";
  /** Whether another try could help. */
  readonly retryable: boolean;
  constructor(code: OpenApiError["code"], message: string, retryable = false) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}
