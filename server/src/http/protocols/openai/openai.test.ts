import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel } from "../../../testing/models.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";

// The npm client as it is; only its base URL and key are ours.

const app = useApp();
const machines = useWorkerProcess(app);
let client: OpenAI;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: app.key("admin") });
  const model = scriptedModel(() => ({ text: "It arrives on **Tuesday**." }));
  const worker = await machines.worker({ model });
  stop = () => worker.stop(0);
});
afterAll(() => stop());

const question = [{ role: "user", content: "Where is my order?" }] as const;
const caught = (promise: Promise<unknown>): Promise<APIError> =>
  promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: APIError) => error,
  );

describe("POST /v1/chat/completions", () => {
  it("answers as a whole, with usage and the ids of conversation and task", async () => {
    const { data, response, request_id } = await client.chat.completions
      .create({ model: "sales", messages: [...question], user: "customer-4711", temperature: 0.2 })
      .withResponse();
    expect(data.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "It arrives on **Tuesday**." },
    });
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    expect(response.headers.get("x-ignored-parameters")).toBe("temperature");
    expect([request_id, response.headers.get("audit-ref")]).toEqual([
      expect.stringMatching(/^req_/),
      expect.stringMatching(/^aud_/),
    ]);
    const conversation = await app.call("GET", `/v1/chat/conversations/${data.metadata?.conversation}`);
    expect(conversation.body).toMatchObject({ agent: "sales", user: "customer-4711", messages: 2 });
  });

  it("streams chunks, with usage as the last one", async () => {
    const stream = client.chat.completions.stream({
      model: "sales",
      messages: [...question],
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message.content).toBe("It arrives on **Tuesday**.");
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("imports what was said before, and goes on in a conversation that is named", async () => {
    const messages = [
      { role: "system", content: "Answer briefly." },
      { role: "user", content: "I ordered looms." },
      { role: "assistant", content: "Thank you." },
      ...question,
    ] as const;
    const first = await client.chat.completions.create({ model: "sales", messages: [...messages] });
    const conversation = first.metadata?.conversation as string;
    const { data, response } = await client.chat.completions
      .create({ model: "sales", messages: [...messages, ...question], metadata: { conversation } })
      .withResponse();
    expect([data.metadata?.conversation, response.headers.get("x-ignored-parameters")]).toEqual([
      conversation,
      "messages",
    ]);
    const { body } = await app.call("GET", `/v1/chat/conversations/${conversation}/messages?order=oldest`);
    expect(body.data.map(({ role, imported }: { role: string; imported: boolean }) => [role, imported])).toEqual([
      ...[
        ["user", true],
        ["agent", true],
        ["user", false],
        ["agent", false],
        ["user", false],
        ["agent", false],
      ],
    ]);
  });

  it.each([
    ["no key", { key: "aos_dev_wrong", body: {} }, 401, "unauthenticated", null],
    ["a key that may only read", { key: "viewer", body: {} }, 403, "insufficient_scope", null],
    ["an agent that there is not", { body: { model: "nobody" } }, 404, "model_not_found", "model"],
    ["a version that is not live", { body: { model: "sales@9" } }, 404, "model_not_found", "model"],
    [
      "tools of the caller, of an agent that takes none",
      { body: { tools: [{ type: "function", function: { name: "get_weather" } }] } },
      422,
      "invalid_body",
      "tools",
    ],
    ["a parameter that nobody knows", { body: { top_k: 3 } }, 422, "invalid_body", "top_k"],
    [
      "an image",
      { body: { messages: [{ role: "user", content: [{ type: "image_url" }] }] } },
      422,
      "invalid_body",
      "messages[0].content[0]",
    ],
    [
      "a conversation that there is not",
      { body: { metadata: { conversation: "cnv_01jd8x0000000000000000000c" } } },
      404,
      "not_found",
      null,
    ],
  ])(
    "refuses %s in the manner of the client",
    async (_what, { key = "admin", body }: { key?: string; body: object }, status, code, param) => {
      const apiKey = key === "admin" || key === "viewer" ? app.key(key) : key;
      const calls = new OpenAI({ baseURL: `${app.url}/v1`, apiKey }).chat.completions;
      const error = await caught(calls.create({ model: "sales", messages: [...question], ...body }));
      expect(error).toBeInstanceOf(APIError);
      expect({ status: error.status, code: error.code, param: error.param }).toEqual({ status, code, param });
      expect(error.requestID).toMatch(/^req_/);
    },
  );

  it("joins a retry to its call, and takes the same words again otherwise", async () => {
    const ask = async (retry: number) => {
      const headers = { "x-stainless-retry-count": String(retry) };
      const body = { model: "sales", messages: [{ role: "user", content: "Only once, please." }] };
      return (await app.call("POST", "/v1/chat/completions", { body, headers })).body.metadata.conversation as string;
    };
    const first = await ask(0);
    expect(await ask(1)).toBe(first);
    expect(await ask(0)).not.toBe(first);
  });
});

describe("POST /v1/responses", () => {
  it("answers as a whole, goes on after a response, and reads it again", async () => {
    const first = await client.responses.create({ model: "sales", input: "Where is my order?", user: "customer-4711" });
    expect([first.status, first.output_text]).toEqual(["completed", "It arrives on **Tuesday**."]);
    const second = await client.responses.create({
      model: "sales",
      input: "And then?",
      previous_response_id: first.id,
    });
    expect(second.conversation).toEqual(first.conversation);
    const read = await client.responses.retrieve(second.id);
    expect(read).toMatchObject({
      id: second.id,
      status: "completed",
      model: "sales",
      conversation: first.conversation,
    });
    expect(read.output).toEqual(second.output);
  });

  it("streams events that the client puts together", async () => {
    const stream = client.responses.stream({ model: "sales", input: "Where is my order?" });
    const types: string[] = [];
    stream.on("event", ({ type }) => types.push(type));
    const response = await stream.finalResponse();
    expect([response.status, response.output_text]).toEqual(["completed", "It arrives on **Tuesday**."]);
    expect(types[0]).toBe("response.created");
    expect(types).toContain("response.output_text.delta");
    expect(types.at(-1)).toBe("response.completed");
  });

  it("answers at once where it is to work in the background", async () => {
    const { id, status } = await client.responses.create({ model: "sales", input: "Later.", background: true });
    expect(status).toBe("in_progress");
    await expect.poll(async () => (await client.responses.retrieve(id)).status).toBe("completed");
  });

  it("refuses a response that there is not, and an input that is no message", async () => {
    expect((await caught(client.responses.retrieve("resp_none"))).status).toBe(404);
    const error = await caught(
      client.responses.create({ model: "sales", input: [{ type: "item_reference", id: "x" }] }),
    );
    expect([error.status, error.param]).toEqual([422, "input[0].role"]);
  });
});

describe("a message that needs approval", () => {
  let policy: string;
  beforeAll(async () => {
    policy = await app.policy({ effect: "require_approval", scope: { actions: ["chat.message"] }, when: "true" });
  });
  afterAll(async () => {
    await app.pool.query("update policies set state = 'retired' where id = $1", [policy]);
    await machines.refresh();
  });

  it("is in progress as a response, and a completion says who is asked", async () => {
    const response = await client.responses.create({ model: "sales", input: "Refund it." });
    expect(response).toMatchObject({ status: "in_progress", metadata: { approval: expect.stringMatching(/^apr_/) } });
    expect((await client.responses.retrieve(response.id)).status).toBe("in_progress");
    const { choices } = await client.chat.completions.create({ model: "sales", messages: [...question] });
    expect(choices[0]).toMatchObject({ finish_reason: "stop" });
    expect(choices[0]?.message.content).toMatch(/asked before this goes on\. http\S+$/);
  });
});

describe("GET /v1/models", () => {
  it("lists the agents that are live, and reads one", async () => {
    const ids: string[] = [];
    for await (const { id } of await client.models.list()) ids.push(id);
    expect(ids).toContain("sales");
    expect(await client.models.retrieve("sales@1")).toMatchObject({ id: "sales@1", object: "model" });
    for (const model of ["sales@7", "nobody"]) {
      expect((await caught(client.models.retrieve(model))).status).toBe(404);
    }
  });
});
