import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../kernel/clock.ts";
import { createOutbound } from "../../../outbound/index.ts";
import type { ProviderName } from "./definition.ts";
import { createProviderModel } from "./provider-model.ts";
import {
  anthropicEvents,
  chatEvents,
  responsesEvents,
  startWireServer,
  type WireReply,
  type WireServer,
} from "./testing.ts";

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function talk(
  provider: ProviderName,
  reply: (n: number) => WireReply,
  secret: string | null = "sk-test-0123456789",
) {
  const server = await startWireServer((_request, n) => reply(n));
  servers.push(server);
  const definition = { provider, name: "scripted", settings: { base_url: server.url, top_p: 0.5, seed: 7 } };
  const model = createProviderModel(definition, { secret, fetch, clock: systemClock, sleep: async () => {} });
  const read = async (options: Partial<LanguageModelV4CallOptions> = {}): Promise<LanguageModelV4StreamPart[]> =>
    await partsOf((await model.doStream({ prompt, ...options })).stream);
  return { server, model, read, sent: () => server.requests.map(({ body }) => body) };
}

async function partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const prompt: LanguageModelV4CallOptions["prompt"] = [
  { role: "system", content: "Qualify leads." },
  { role: "user", content: [{ type: "text", text: '{"lead_id":"ld_1"}' }] },
];
const closed: JSONSchema7 = {
  type: "object",
  properties: { qualified: { type: "boolean" } },
  required: ["qualified"],
  additionalProperties: false,
} as const;
const open: JSONSchema7 = {
  type: "object",
  properties: { qualified: { type: "boolean" }, reason: { type: "string" } },
};
const tools: NonNullable<LanguageModelV4CallOptions["tools"]> = [
  { type: "function", name: "get_lead", inputSchema: open },
  { type: "function", name: "find_lead", inputSchema: closed },
];
const json = (schema: JSONSchema7) => ({ responseFormat: { type: "json" as const, schema } });
const errorsIn = (parts: readonly LanguageModelV4StreamPart[]): unknown[] =>
  parts.flatMap((part) => (part.type === "error" ? [(part.error as { code: string }).code] : []));
const textIn = (parts: readonly LanguageModelV4StreamPart[]): string =>
  parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");

describe("answers as JSON", () => {
  it("are asked of OpenAI strictly where the schema is of the strict kind, and stay unstored there", async () => {
    const { read, sent } = await talk("openai", () => ({ stream: responsesEvents({ text: '{"qualified":true}' }) }));
    await read({ ...json(closed), tools });
    await read(json(open));
    const [first, second] = sent();
    expect(first.text.format).toMatchObject({ type: "json_schema", strict: true, schema: closed });
    expect(first.tools.map(({ strict }: { strict: boolean }) => strict)).toEqual([false, true]);
    expect(second.text.format).toMatchObject({ type: "json_schema", strict: false });
    expect([first.store, second.store]).toEqual([false, false]);
  });

  it("are asked of a server of one's own by schema where there are no tools, and in words beside tools, which it would never call else", async () => {
    const { read, sent } = await talk("openai-compatible", () => ({ stream: chatEvents({ text: "{}" }) }));
    await read(json(open));
    await read({ ...json(open), tools });
    const [plain, withTools] = sent();
    expect(plain.response_format).toMatchObject({ type: "json_schema", json_schema: { schema: open, strict: false } });
    expect(withTools.response_format).toBeUndefined();
    expect(withTools.messages[0]).toMatchObject({
      role: "system",
      content: expect.stringContaining(JSON.stringify(open)),
    });
    expect(withTools.messages[0].content).toMatch(/^Qualify leads\./);
  });

  it("are asked in words, from then on, of a server that knows no schemas", async () => {
    const refusal = {
      status: 400,
      json: { error: { message: "This response_format type is unavailable now", type: "invalid_request_error" } },
    };
    const { read, sent } = await talk("openai-compatible", (n) =>
      n === 0 ? refusal : { stream: chatEvents({ text: "{}" }) },
    );
    expect(textIn(await read(json(closed)))).toBe("{}");
    await read(json(closed));
    expect(sent().map(({ response_format }) => response_format?.type)).toEqual(["json_schema", undefined, undefined]);
  });

  it("come as text from a Claude that answers by a tool of its own", async () => {
    const { read } = await talk("anthropic", () => ({
      stream: anthropicEvents({ calls: [{ id: "toolu_1", name: "json", input: { qualified: true } }] }),
    }));
    const parts = await read({ ...json(open), tools });
    expect(JSON.parse(textIn(parts))).toEqual({ qualified: true });
    expect(parts.filter(({ type }) => type === "tool-call")).toEqual([]);
  });
});

describe("settings", () => {
  it.each(["openai-compatible", "openai", "anthropic"] as const)(
    "of the definition all arrive at %s that knows them",
    async (provider) => {
      const events = { "openai-compatible": chatEvents, openai: responsesEvents, anthropic: anthropicEvents }[provider];
      const { read, sent } = await talk(provider, () => ({ stream: events({ text: "{}" }) }));
      await read();
      expect(sent()[0].top_p).toBe(0.5);
      expect(sent()[0].seed).toBe(provider === "openai-compatible" ? 7 : undefined);
    },
  );
});

describe("Anthropic's stream", () => {
  const overloaded = `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })}\n\n`;

  it("that begins with an overload is asked for again", async () => {
    const { read, server } = await talk("anthropic", (n) => ({
      stream: n === 0 ? [overloaded] : anthropicEvents({ text: "{}" }),
    }));
    expect(textIn(await read())).toBe("{}");
    expect(server.requests.length).toBe(2);
  });

  it("that reports an overload in its middle ends with that failure", async () => {
    const begun = anthropicEvents({ text: "some words that come" }).slice(0, 5);
    const { read } = await talk("anthropic", () => ({ stream: [...begun, overloaded] }));
    expect(errorsIn(await read())[0]).toBe("provider_unavailable");
  });
});

describe("answers that are not streamed", () => {
  const usage = { input: 25, output: 15 };
  const bodies: Record<ProviderName, object> = {
    anthropic: {
      type: "message",
      id: "msg_1",
      role: "assistant",
      model: "scripted",
      content: [{ type: "text", text: "{}" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: usage.input, output_tokens: usage.output },
    },
    openai: {
      id: "resp_1",
      created_at: 1,
      model: "scripted",
      status: "completed",
      output: [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "{}", annotations: [] }],
        },
      ],
      usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: 40 },
    },
    "openai-compatible": {
      id: "chatcmpl-1",
      created: 1,
      model: "scripted",
      choices: [{ index: 0, message: { role: "assistant", content: "{}" }, finish_reason: "stop" }],
      usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 40 },
    },
  };

  it.each(Object.keys(bodies) as ProviderName[])("are read from %s, with their tokens", async (provider) => {
    const { model } = await talk(provider, () => ({ json: bodies[provider] }));
    const { content, usage: used, finishReason } = await model.doGenerate({ prompt });
    expect(content).toMatchObject([{ type: "text", text: "{}" }]);
    expect([used.inputTokens.total, used.outputTokens.total]).toEqual([usage.input, usage.output]);
    expect(finishReason.unified).toBe("stop");
  });
});

describe("a server that does not say what was used", () => {
  it("is counted by an estimate, in and out", async () => {
    const { read } = await talk("openai-compatible", () => ({
      stream: chatEvents({ text: "z".repeat(90) }).filter((event) => !event.includes('"usage"')),
    }));
    const finish = (await read()).find((part) => part.type === "finish");
    expect(finish?.usage).toMatchObject({ outputTokens: { total: 30 }, raw: { estimated: true } });
    expect(finish?.usage.inputTokens.total).toBeGreaterThan(10);
  });
});

describe("credentials", () => {
  const environment = {
    ANTHROPIC_API_KEY: "sk-ant-from-the-environment",
    OPENAI_API_KEY: "sk-from-the-environment",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  };

  it.each(["anthropic", "openai"] as const)(
    "are never taken from the environment of the process: %s without a connection is not called",
    async (provider) => {
      Object.assign(process.env, environment);
      try {
        const { read, server } = await talk(provider, () => ({ status: 500, text: "" }), null);
        await expect(read()).rejects.toMatchObject({
          code: "provider_not_configured",
          message: expect.stringContaining("POST /v1/admin/connections"),
        });
        expect(server.requests).toEqual([]);
      } finally {
        for (const name of Object.keys(environment)) delete process.env[name];
      }
    },
  );

  it("may be none for a server of one's own, which then gets none", async () => {
    const { read, server } = await talk("openai-compatible", () => ({ stream: chatEvents({ text: "{}" }) }), null);
    await read();
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("a conversation with OpenAI that goes on after a tool call", () => {
  it("sends everything again, since nothing is stored there: no item is referred to by its id", async () => {
    const call = { id: "call_1", name: "get_lead", input: { lead_id: "ld_1" } };
    const { read, sent } = await talk("openai", () => ({ stream: responsesEvents({ calls: [call] }) }));
    const made = (await read({ tools })).find((part) => part.type === "tool-call");
    const { toolCallId = "", toolName = "", providerMetadata } = made ?? {};
    const again = {
      type: "tool-call" as const,
      toolCallId,
      toolName,
      input: call.input,
      ...(providerMetadata && { providerOptions: providerMetadata }),
    };
    const output = { type: "json" as const, value: { from: "get_lead", data: null } };
    await read({
      tools,
      prompt: [
        ...prompt,
        { role: "assistant", content: [again] },
        { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] },
      ],
    });
    const types = sent()[1].input.map(({ type, role }: { type?: string; role?: string }) => type ?? role);
    expect(types.slice(-2)).toEqual(["function_call", "function_call_output"]);
    expect(JSON.stringify(sent()[1].input)).not.toContain("item_reference");
  });
});

describe("a call through the guard of outgoing calls", () => {
  it("reaches a server on this machine in development, streaming, and not in production", async () => {
    const server = await startWireServer(() => ({ stream: chatEvents({ text: "through the guard" }) }));
    servers.push(server);
    const definition = { provider: "openai-compatible" as const, name: "scripted", settings: { base_url: server.url } };
    const answers = await Promise.all(
      (["development", "production"] as const).map(async (environment) => {
        const outbound = createOutbound({ environment });
        try {
          const model = createProviderModel(definition, { secret: null, fetch: outbound.fetch, clock: systemClock });
          return textIn(await partsOf((await model.doStream({ prompt })).stream));
        } catch (error) {
          return (error as { code: string }).code;
        } finally {
          await outbound.close();
        }
      }),
    );
    expect(answers).toEqual(["through the guard", "provider_address_refused"]);
    expect(server.requests.length).toBe(1);
  });

  it("that is aborted in the middle of its stream hangs up within two seconds", async () => {
    const server = await startWireServer(() => ({
      stream: chatEvents({ text: "words without end" }).slice(0, 3),
      after: "hang",
    }));
    servers.push(server);
    const outbound = createOutbound({ environment: "development" });
    const definition = { provider: "openai-compatible" as const, name: "scripted", settings: { base_url: server.url } };
    const model = createProviderModel(definition, { secret: null, fetch: outbound.fetch, clock: systemClock });
    const caller = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: caller.signal });
    const reading = partsOf(stream);
    const begun = performance.now();
    caller.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
    await server.abandoned;
    expect(performance.now() - begun).toBeLessThan(2000);
    await outbound.close();
  });
});
