import { inspect } from "node:util";
import { APICallError } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutboundError } from "../../../outbound/index.ts";
import { type Addressed, failureOf, type ProviderFailureCode, retryAfter } from "./failures.ts";

const at: Addressed = {
  title: "Anthropic",
  model: "scripted",
  secret: "sk-ant-0123456789abcdef",
  now: () => Date.parse("2026-11-21T10:00:00Z"),
};
const answered = (statusCode: number, message: string, responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message,
    url: "https://example.com",
    requestBodyValues: { prompt: "secret plans" },
    statusCode,
    responseHeaders,
  });

describe("what a provider answers", () => {
  it.each([
    [401, "invalid x-api-key", "provider_unauthorized", false],
    [403, "Your API key does not have permission to use the specified resource.", "provider_forbidden", false],
    [404, "model: claude-opus-0", "provider_model_unknown", false],
    [400, "The model `gpt-0` does not exist or you do not have access to it.", "provider_model_unknown", false],
    [402, "payment required", "provider_quota_exhausted", false],
    [
      429,
      "You exceeded your current quota, please check your plan and billing details.",
      "provider_quota_exhausted",
      false,
    ],
    [400, "Your credit balance is too low to access the API.", "provider_quota_exhausted", false],
    [429, "This request would exceed your rate limit of 50 requests per minute.", "provider_rate_limited", true],
    [400, "prompt is too long: 210000 tokens > 200000 maximum", "provider_input_too_long", false],
    [413, "Request exceeds the maximum size", "provider_input_too_long", false],
    [400, "messages.0.content: Input should be a valid list", "provider_refused_request", false],
    [408, "Request timeout", "provider_timed_out", true],
    [500, "Internal server error", "provider_unavailable", true],
    [529, "Overloaded", "provider_unavailable", true],
    [307, "Temporary Redirect", "provider_address_refused", false],
  ] as const)("%i, %s: %s", (status, message, code: ProviderFailureCode, retryable) => {
    expect(failureOf(answered(status, message), at)).toMatchObject({ code, retryable });
  });

  it("says of an input that is too long that room is kept for the answer", () => {
    const { message } = failureOf(answered(400, "This model's maximum context length is 8192 tokens."), at);
    expect(message).toContain("set the model's `max_output_tokens` lower");
  });

  it("is quoted in one line that is not long, without credentials, and never with what was sent", () => {
    const failure = failureOf(
      answered(400, `bad\n\nrequest ${at.secret} and sk-proj-abcdefgh1234 ${"x".repeat(1000)}`),
      at,
    );
    expect(failure.message).toContain("It said: bad request [credentials] and [credentials]");
    expect(failure.message.length).toBeLessThan(600);
    expect(failure.message).not.toMatch(/0123456789abcdef|abcdefgh1234|secret plans|\n/);
  });

  it("is not quoted where credentials are refused", () => {
    expect(failureOf(answered(401, "Incorrect API key provided: sk-ant-01********cdef"), at).message).not.toMatch(
      /said|cdef/,
    );
  });
});

describe("a failure", () => {
  it("holds nothing of the request, so that no log can tell it", () => {
    const request = { prompt: "secret plans" };
    const network = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const errors = [
      answered(400, "no", { "x-secret": "secret plans" }),
      new APICallError({
        message: "Cannot connect",
        url: "",
        requestBodyValues: request,
        isRetryable: true,
        cause: network,
      }),
      new APICallError({
        message: "Failed to process successful response",
        url: "",
        requestBodyValues: request,
        statusCode: 200,
        responseBody: "secret plans",
      }),
    ];
    const failures = errors.map((error) => failureOf(error, at));
    expect(failures.map(({ code }) => code)).toEqual([
      "provider_refused_request",
      "provider_unavailable",
      "provider_answer_unreadable",
    ]);
    expect(inspect(failures, { depth: 20, showHidden: true })).not.toContain("secret plans");
  });
});

describe("what stops a call on its way", () => {
  it.each([
    ["address_refused", "provider_address_refused"],
    ["https_required", "provider_address_refused"],
    ["name_not_found", "provider_unavailable"],
    ["connection_lost", "provider_unavailable"],
    ["timeout", "provider_timed_out"],
    ["response_too_large", "provider_answer_unreadable"],
  ] as const)("%s is %s, however deep the library wrapped it", (code, expected) => {
    const error = new OutboundError(code, "`models.example` leads to an address that is not public", { sent: false });
    const wrapped = new APICallError({
      message: "Cannot connect",
      url: "",
      requestBodyValues: {},
      isRetryable: true,
      cause: new TypeError("fetch failed", { cause: error }),
    });
    expect(failureOf(wrapped, at)).toMatchObject({
      code: expected,
      message: expect.stringContaining("models.example"),
    });
  });
});

describe("when a provider wants to be called again", () => {
  it.each([
    [{ "retry-after": "7" }, 7000],
    [{ "Retry-After": "0" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000],
    [{ "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{}, null],
  ])("%j says %s ms", (headers, ms) => {
    expect(retryAfter(headers as Record<string, string>, at.now())).toBe(ms);
  });

  it("is never a negative time, whatever the header holds", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = retryAfter({ "retry-after": text, "retry-after-ms": text }, at.now());
        return ms === null || ms >= 0;
      }),
    );
  });
});
