import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../kernel/clock.ts";
import type { ProviderModelSettings, ProviderName } from "./definition.ts";
import { createProviderModel, type ProviderParts } from "./provider-model.ts";
import {
  anthropicEvents,
  chatEvents,
  responsesEvents,
  type ScriptedTurn,
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
} from "./testing.ts";

const secret = "sk-test-0123456789abcdef";
const servers: WireServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const events: Readonly<Record<ProviderName, (turn: ScriptedTurn) => string[]>> = {
  anthropic: anthropicEvents,
  openai: responsesEvents,
  "openai-compatible": chatEvents,
};
const everyProvider = Object.keys(events) as ProviderName[];

async function serve(reply: (request: WireRequest, n: number) => WireReply | null): Promise<WireServer> {
  const server = await startWireServer(reply);
  servers.push(server);
  return server;
}

/** A model of a provider against a server, that waits for nothing between repeated calls and notes how long it would have. */
function modelAt(
  provider: ProviderName,
  server: WireServer,
  parts: Partial<ProviderParts> = {},
  settings: ProviderModelSettings = {},
) {
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const definition = { provider, name: "scripted", settings: { base_url: server.url, ...settings } };
  const model = createProviderModel(definition, {
    secret,
    fetch,
    clock: systemClock,
    random: () => 0.5,
    sleep,
    ...parts,
  });
  return { model, pauses };
}

const leadTool = {
  type: "function",
  name: "get_lead",
  description: "Looks a lead up.",
  inputSchema: { type: "object", properties: { lead_id: { type: "string" } } },
} as const;
const prompt: LanguageModelV4CallOptions["prompt"] = [
  { role: "system", content: "Qualify leads." },
  { role: "user", content: [{ type: "text", text: '{"lead_id":"ld_1"}' }] },
];
const afterToolCall: LanguageModelV4CallOptions["prompt"] = [
  ...prompt,
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "call_1", toolName: "get_lead", input: { lead_id: "ld_1" } }],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1",
        toolName: "get_lead",
        output: { type: "json", value: { from: "get_lead", data: { size: 7 } } },
      },
    ],
  },
];

async function partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]): string =>
  parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
const ofType = <T extends LanguageModelV4StreamPart["type"]>(parts: readonly LanguageModelV4StreamPart[], type: T) =>
  parts.filter((part): part is Extract<LanguageModelV4StreamPart, { type: T }> => part.type === type);

describe.each(everyProvider)("a model of %s, over the wire", (provider) => {
  const answers = (turn: ScriptedTurn) => (): WireReply => ({ stream: events[provider](turn) });

  it("streams its answer in pieces, with the tokens that it used", async () => {
    const server = await serve(answers({ text: '{"qualified":true,"reason":"größer als nötig"}' }));
    const { stream } = await modelAt(provider, server).model.doStream({ prompt });
    const parts = await partsOf(stream);
    expect(textOf(parts)).toBe('{"qualified":true,"reason":"größer als nötig"}');
    expect(ofType(parts, "text-delta").length).toBeGreaterThan(2);
    const [finish] = ofType(parts, "finish");
    expect(finish?.finishReason.unified).toBe("stop");
    expect(finish?.usage.inputTokens).toMatchObject({ total: 25, cacheRead: 10 });
    expect(finish?.usage.outputTokens.total).toBe(15);
    expect(ofType(parts, "error")).toEqual([]);
  });

  it("calls tools, several in one turn, with the arguments put together from their pieces", async () => {
    const calls = [
      { id: "call_1", name: "get_lead", input: { lead_id: "ld_1" } },
      { id: "call_2", name: "get_lead", input: { lead_id: 'with "quotes" and ünïcode' } },
    ];
    const server = await serve(answers({ calls }));
    const { stream } = await modelAt(provider, server).model.doStream({ prompt, tools: [leadTool] });
    const parts = await partsOf(stream);
    const made = ofType(parts, "tool-call").map(({ toolCallId: id, toolName: name, input }) => ({
      id,
      name,
      input: JSON.parse(input),
    }));
    expect(made).toEqual(calls);
    expect(ofType(parts, "finish")[0]?.finishReason.unified).toBe("tool-calls");
    expect(JSON.stringify(server.requests[0]?.body.tools)).toContain('"lead_id"');
  });

  it("is told what a tool found, labelled with where it came from", async () => {
    const server = await serve(answers({ text: "{}" }));
    await partsOf(
      (await modelAt(provider, server).model.doStream({ prompt: afterToolCall, tools: [leadTool] })).stream,
    );
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain("call_1");
    expect(sent).toContain(JSON.stringify(JSON.stringify({ from: "get_lead", data: { size: 7 } })).slice(1, -1));
  });

  it("is called with the settings of its definition, and those of a call before them", async () => {
    const server = await serve(answers({ text: "{}" }));
    const { model } = modelAt(provider, server, {}, { temperature: 0.25, max_output_tokens: 77 });
    await partsOf((await model.doStream({ prompt })).stream);
    await partsOf((await model.doStream({ prompt, temperature: 0.75, maxOutputTokens: 33 })).stream);
    const sent = server.requests.map(({ body }) => [body.temperature, body.max_tokens ?? body.max_output_tokens]);
    expect(sent).toEqual([
      [0.25, 77],
      [0.75, 33],
    ]);
  });

  it("sends the credentials in the provider's own header, and the model's name", async () => {
    const server = await serve(answers({ text: "{}" }));
    await partsOf((await modelAt(provider, server).model.doStream({ prompt })).stream);
    const { headers, body, path } = server.requests[0] as WireRequest;
    expect(provider === "anthropic" ? headers["x-api-key"] : headers.authorization).toBe(
      provider === "anthropic" ? secret : `Bearer ${secret}`,
    );
    expect(body.model).toBe("scripted");
    expect(path).toBe(
      { anthropic: "/v1/messages", openai: "/v1/responses", "openai-compatible": "/v1/chat/completions" }[provider],
    );
  });

  it("waits as long as Retry-After says when its rate is limited, and then goes on", async () => {
    const limited: WireReply = {
      status: 429,
      headers: { "retry-after": "2" },
      json: { type: "error", error: { type: "rate_limit_error", message: "Slow down" } },
    };
    const server = await serve((_request, n) => (n < 2 ? limited : answers({ text: "{}" })()));
    const { model, pauses } = modelAt(provider, server);
    expect(textOf(await partsOf((await model.doStream({ prompt })).stream))).toBe("{}");
    expect(server.requests.length).toBe(3);
    expect(pauses).toEqual([2250, 2250]); // and an eighth more: half of the quarter's jitter
  });

  it("gives up on a provider that stays overloaded after four calls, in words for people", async () => {
    const server = await serve(() => ({
      status: 503,
      json: { type: "error", error: { type: "api_error", message: "Overloaded" } },
    }));
    const { model, pauses } = modelAt(provider, server);
    await expect(model.doStream({ prompt })).rejects.toMatchObject({
      code: "provider_unavailable",
      retryable: true,
      said: "Overloaded",
    });
    expect(server.requests.length).toBe(4);
    expect(pauses).toEqual([250, 500, 1000]);
  });

  it("does not wait for a provider that wants to be left alone for longer than anybody waits", async () => {
    const server = await serve(() => ({
      status: 429,
      headers: { "retry-after": "3600" },
      json: { type: "error", error: { type: "x", message: "Later" } },
    }));
    const { model, pauses } = modelAt(provider, server);
    await expect(model.doStream({ prompt })).rejects.toMatchObject({
      code: "provider_rate_limited",
      retryAfterMs: 3_600_000,
    });
    expect([server.requests.length, pauses]).toEqual([1, []]);
  });

  it("never repeats credentials in what it says of a refusal, and does not try them again", async () => {
    const message = `Incorrect API key provided: ${secret}. You can find yours elsewhere.`;
    const server = await serve(() => ({
      status: 401,
      json: { type: "error", error: { type: "authentication_error", message } },
    }));
    const failure = await modelAt(provider, server)
      .model.doStream({ prompt })
      .then(
        () => null,
        (error: unknown) => error as Error & { code: string; said: string },
      );
    expect(failure?.code).toBe("provider_unauthorized");
    expect(`${failure?.message} ${failure?.said}`).not.toContain(secret.slice(3));
    expect(server.requests.length).toBe(1);
  });

  it("stops at once when the call is aborted in the middle of its stream, and hangs up on the provider", async () => {
    const begun = events[provider]({ text: "a long answer that never comes to its end" }).slice(0, -4);
    const server = await serve(() => ({ stream: begun, after: "hang" }));
    const caller = new AbortController();
    const { stream } = await modelAt(provider, server).model.doStream({ prompt, abortSignal: caller.signal });
    const reader = stream.getReader();
    for (;;) if ((await reader.read()).value?.type === "text-delta") break;
    const aborted = performance.now();
    const reason = new Error("the task was cancelled");
    const rest = (async () => {
      for (;;) if ((await reader.read()).done) return;
    })();
    caller.abort(reason);
    await expect(rest).rejects.toBe(reason);
    await server.abandoned;
    expect(performance.now() - aborted).toBeLessThan(2000);
  });

  it("is aborted while it has not begun to answer", async () => {
    const server = await serve(() => null);
    const caller = new AbortController();
    const reason = new Error("the task was cancelled");
    const call = modelAt(provider, server).model.doStream({ prompt, abortSignal: caller.signal });
    queueMicrotask(() => caller.abort(reason));
    await expect(call).rejects.toBe(reason);
  });

  it("takes too long to begin: then the call is repeated, and at last it failed in time", async () => {
    const server = await serve(() => null);
    const { model } = modelAt(provider, server, { times: { beginMs: 40 }, retries: { attempts: 2 } });
    await expect(model.doStream({ prompt })).rejects.toMatchObject({ code: "provider_timed_out" });
    await server.abandoned;
  });

  it("falls silent in the middle of its answer: the stream ends with a failure instead of hanging", async () => {
    const server = await serve(() => ({
      stream: events[provider]({ text: "a long answer that stops" }).slice(0, -4),
      after: "hang",
    }));
    const { stream } = await modelAt(provider, server, { times: { silenceMs: 60 } }).model.doStream({ prompt });
    const parts = await partsOf(stream);
    expect(ofType(parts, "error").map(({ error }) => (error as { code: string }).code)).toEqual(["provider_timed_out"]);
    await server.abandoned;
  });

  it.each(["break", undefined] as const)(
    "breaks off in the middle of its answer (%s): that is a failure, not a short answer",
    async (after) => {
      const cut = events[provider]({ text: "an answer that is cut off" }).slice(0, -4);
      const server = await serve(() => ({ stream: cut, ...(after && { after }) }));
      const parts = await partsOf((await modelAt(provider, server).model.doStream({ prompt })).stream);
      expect(ofType(parts, "error").map(({ error }) => (error as { code: string }).code)).toEqual([
        "provider_interrupted",
      ]);
    },
  );

  it("follows no redirect, which would carry the credentials away", async () => {
    const thief = await serve(answers({ text: "{}" }));
    const server = await serve(() => ({ status: 307, headers: { location: `${thief.url}/messages` }, text: "" }));
    await expect(modelAt(provider, server).model.doStream({ prompt })).rejects.toMatchObject({
      code: "provider_address_refused",
    });
    expect(thief.requests).toEqual([]);
  });

  it("has nobody listening at its address", async () => {
    const server = await serve(() => null);
    await server.close();
    const { model } = modelAt(provider, server, { retries: { attempts: 1 } });
    await expect(model.doStream({ prompt })).rejects.toMatchObject({
      code: "provider_unavailable",
      message: expect.stringContaining("nothing listens at its address"),
    });
  });

  it("answers with what is no answer of its kind", async () => {
    const server = await serve(() => ({ json: { hello: "I am another service" } }));
    await expect(
      modelAt(provider, server, { retries: { attempts: 1 } }).model.doGenerate({ prompt }),
    ).rejects.toMatchObject({
      code: "provider_answer_unreadable",
    });
  });
});
