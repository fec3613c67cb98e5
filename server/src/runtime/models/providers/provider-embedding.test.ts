import { afterEach, expect, it } from "vitest";
import { systemClock } from "../../../kernel/clock.ts";
import { createProviderEmbedding } from "./provider-embedding.ts";
import { startWireServer, type WireReply, type WireServer } from "./testing.ts";

let server: WireServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const vectorsOf = (count: number): WireReply => ({
  json: {
    object: "list",
    model: "m",
    data: Array.from({ length: count }, (_, index) => ({ object: "embedding", index, embedding: [index + 1, 2] })),
    usage: { prompt_tokens: 9, total_tokens: 9 },
  },
});

async function embedding(
  replies: (n: number) => WireReply | null,
  provider: "openai" | "openai-compatible" | "anthropic",
) {
  server = await startWireServer((_request, n) => replies(n));
  const definition = { provider, name: "text-embedding-3-small", settings: { base_url: server.url } };
  return createProviderEmbedding(definition, {
    secret: "sk-loopback-0123456789",
    fetch: globalThis.fetch,
    clock: systemClock,
    sleep: async () => undefined,
  });
}
const call = { dimensions: 2, timeMs: 2_000 };

it("asks OpenAI and servers of its interface for vectors of so many dimensions", async () => {
  for (const provider of ["openai", "openai-compatible"] as const) {
    const embed = await embedding(() => vectorsOf(2), provider);
    expect(await embed(["one", "two"], call)).toEqual({
      vectors: [
        [1, 2],
        [2, 2],
      ],
      tokens: 9,
    });
    expect(server?.requests).toMatchObject([
      { path: "/v1/embeddings", body: { model: "text-embedding-3-small", input: ["one", "two"], dimensions: 2 } },
    ]);
    await server?.close();
  }
});

it("repeats what a rate limit stopped, and not what the provider refuses", async () => {
  const limited: WireReply = { status: 429, json: { error: { message: "slow down" } } };
  const patient = await embedding((n) => (n < 2 ? limited : vectorsOf(1)), "openai");
  expect((await patient(["one"], call)).vectors).toEqual([[1, 2]]);
  expect(server?.requests).toHaveLength(3);
  await server?.close();
  const refused = await embedding(() => ({ status: 401, json: { error: { message: "no" } } }), "openai");
  await expect(refused(["one"], call)).rejects.toMatchObject({ code: "provider_unauthorized" });
  expect(server?.requests).toHaveLength(1);
});

it("refuses vectors that are missing or have no direction", async () => {
  const fewer = await embedding(() => vectorsOf(1), "openai-compatible");
  await expect(fewer(["one", "two"], call)).rejects.toMatchObject({ code: "provider_answer_unreadable" });
  await server?.close();
  const zeros = { json: { object: "list", data: [{ index: 0, embedding: [0, 0] }] } };
  const flat = await embedding(() => zeros, "openai-compatible");
  await expect(flat(["one"], call)).rejects.toMatchObject({ code: "provider_answer_unreadable" });
});

it("ends an attempt that takes too long, and one whose caller gives up", async () => {
  const silent = await embedding(() => null, "openai-compatible");
  await expect(silent(["one"], { timeMs: 20 })).rejects.toMatchObject({ code: "provider_timed_out" });
  const caller = new AbortController();
  const given = silent(["one"], { timeMs: 60_000, signal: caller.signal });
  caller.abort(new Error("nobody waits any more"));
  await expect(given).rejects.toThrow("nobody waits any more");
});

it("says which kinds of connection make vectors", async () => {
  await expect(embedding(() => null, "anthropic")).rejects.toMatchObject({ code: "provider_not_configured" });
});
