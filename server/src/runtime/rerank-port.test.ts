import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { startWireServer, type WireServer } from "./models/providers/testing.ts";
import { createRerankPort, scoresIn } from "./rerank-port.ts";

const scope = { organization: "default", environment: "development" } as const;
let server: WireServer;
let answers: object = {};
let port: ReturnType<typeof createRerankPort>;
beforeAll(async () => {
  server = await startWireServer(() => ({ json: answers }));
  port = createRerankPort({
    findConnection: async (_scope, name) =>
      name === "own"
        ? ({ kind: "openai-compatible", baseUrl: server.url, secret: "sk-loopback-0123456789" } as never)
        : undefined,
    clock: systemClock,
    outboundAllow: [],
  });
});
afterAll(async () => {
  await port.close();
  await server.close();
});

it("asks as Cohere, Jina and vLLM are asked, and reads the scores by the numbers of the texts", async () => {
  answers = {
    results: [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.1 },
    ],
  };
  expect(await port.rerank(scope, { connection: "own", model: "r-1" }, "tides", ["one", "two"])).toEqual([0.1, 0.9]);
  expect(server.requests.at(-1)).toMatchObject({
    method: "POST",
    path: expect.stringMatching(/\/rerank$/),
    headers: { authorization: "Bearer sk-loopback-0123456789" },
    body: { model: "r-1", query: "tides", documents: ["one", "two"], top_n: 2 },
  });
});

it("asks as Text Embeddings Inference is asked", async () => {
  answers = [
    { index: 1, score: 3.5 },
    { index: 0, score: -2 },
  ];
  const model = { connection: "own", model: "r-1", interface: "tei" } as const;
  expect(await port.rerank(scope, model, "tides", ["one", "two"])).toEqual([-2, 3.5]);
  expect(server.requests.at(-1)?.body).toMatchObject({ query: "tides", texts: ["one", "two"] });
});

it("names a connection that is missing, and leaves what failed alone", async () => {
  const model = { connection: "none", model: "r-1" };
  await expect(port.rerank(scope, model, "tides", ["one"])).rejects.toThrow("names none, which is no connection");
  await expect(port.rerank(scope, model, "tides", ["one"])).rejects.toThrow("just failed");
});

it.each(["{}", "[]", "none", '{"results":[{"index":7,"relevance_score":1}]}', '{"results":[{"index":0}]}'])(
  "takes %s for no order",
  (text) => {
    expect(scoresIn(text, 2)).toBeNull();
  },
);
