import OpenAI, { APIError } from "openai";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { forecast, useClerk, weather } from "./callers.fixture.ts";

// What callers may bring, with the npm client as it is and a model behind the real wire protocol.

const app = useApp({ role: "all" });
const clerk = useClerk(app);
let client: OpenAI;
beforeAll(() => {
  client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: app.key("admin"), maxRetries: 0 });
});

type Create = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Messages = Create["messages"];
const question = (text = "What is the weather in Graz?"): Messages => [{ role: "user", content: text }];
const tools = [{ type: "function" as const, function: weather }];
const ask = (more: Partial<Create> = {}) =>
  client.chat.completions.create({ model: "clerk", messages: question(), ...more });
const refused = (promise: Promise<unknown>): Promise<APIError> =>
  promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => {
      if (error instanceof APIError) return error;
      throw error;
    },
  );

describe("stop", () => {
  it("ends the text before it, whole and streamed, and in the conversation", async () => {
    clerk.say(() => ({ text: "One, two, END and three." }));
    const whole = await ask({ stop: "END" });
    expect(whole.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "One, two, " } });
    const stream = client.chat.completions.stream({ model: "clerk", messages: question(), stop: ["three", "END"] });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "One, two, " } });
    const path = `/v1/chat/conversations/${whole.metadata?.conversation}/messages?order=oldest`;
    expect((await app.call("GET", path)).body.data.at(-1).parts).toEqual([{ type: "text", text: "One, two, " }]);
  });
});

describe("response_format", () => {
  const response_format = {
    type: "json_schema" as const,
    json_schema: {
      name: "order",
      strict: true,
      schema: {
        type: "object",
        required: ["number"],
        additionalProperties: false,
        properties: { number: { type: "integer" } },
      },
    },
  };

  it("gives the schema to the model, and has a wrong answer put right once", async () => {
    clerk.say((_asked, n) => ({ text: n === 0 ? '{"number": "4711"}' : '{"number": 4711}' }));
    const { choices } = await ask({ response_format });
    expect(choices[0]?.message.content).toBe('{"number":4711}');
    expect(clerk.asked).toHaveLength(2);
    for (const { messages } of clerk.asked) expect(messages[0].content).toContain('"required":["number"]');
  });

  it("is a refusal where the answer does not fit after that, whole and streamed", async () => {
    clerk.say(() => ({ text: "No idea." }));
    const { choices } = await ask({ response_format });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: null } });
    expect(choices[0]?.message.refusal).toMatch(/format/);
    const stream = client.chat.completions.stream({ model: "clerk", messages: question(), response_format });
    expect((await stream.finalChatCompletion()).choices[0]?.message.refusal).toMatch(/format/);
  });

  it("takes any object for json_object, and keeps it JSON where a link is removed", async () => {
    clerk.say(() => ({ text: '{"url":"https://evil.example.net/x?y=1","n":2}' }));
    const { choices } = await ask({ response_format: { type: "json_object" } });
    expect(JSON.parse(choices[0]?.message.content ?? "")).toEqual({
      url: "[link removed: example.net]",
      n: 2,
    });
  });
});

describe("tools of the caller", () => {
  it("are called, answered, and the reply goes on: the task waits meanwhile", async () => {
    clerk.say(forecast);
    const first = await ask({ tools });
    expect(first.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "Let me look." } });
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    expect(call).toMatchObject({ type: "function", function: { name: "get_weather", arguments: '{"city":"Graz"}' } });
    const task = await app.call("GET", `/v1/tasks/${first.metadata?.task}`);
    expect(task.body).toMatchObject({ status: "input_required", question: { kind: "results" } });
    const result = { role: "tool", tool_call_id: call?.id ?? "", content: "Snow." } as const;
    const second = await ask({ tools, messages: [...question(), message as Messages[number], result] });
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "It says: Snow." } });
    expect(second.metadata).toEqual(first.metadata);
    const steps = await app.call("GET", `/v1/tasks/${first.metadata?.task}/steps`);
    expect(steps.body.data.find(({ kind }: { kind: string }) => kind === "tool")).toMatchObject({
      state: "finished",
      output: { declared_by_caller: true, result: "Snow." },
    });
  });

  it("stream their calls in the pieces that the client puts together", async () => {
    clerk.say(() => ({
      calls: ["Graz", "Linz"].map((city, n) => ({ id: `c${n}`, name: "get_weather", input: { city } })),
    }));
    const stream = client.chat.completions.stream({ model: "clerk", messages: question(), tools });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(choices[0]?.message.tool_calls?.map((call) => "function" in call && call.function.arguments)).toEqual([
      '{"city":"Graz"}',
      '{"city":"Linz"}',
    ]);
  });

  it("come one at a time without parallel_tool_calls, and are forced by tool_choice", async () => {
    clerk.say(() => ({
      calls: ["Graz", "Linz"].map((city, n) => ({ id: `c${n}`, name: "get_weather", input: { city } })),
    }));
    const tool_choice = { type: "function" as const, function: { name: "get_weather" } };
    const { choices } = await ask({ tools, parallel_tool_calls: false, tool_choice });
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
    expect(clerk.asked[0].tool_choice).toEqual(tool_choice);
    clerk.say(() => ({ text: "Nothing." }));
    await ask({ tools, tool_choice: "none" });
    expect(JSON.stringify(clerk.asked[0].tools ?? [])).not.toContain("get_weather");
  });

  it("get no call whose arguments do not fit: the model is told", async () => {
    clerk.say((_asked, n) =>
      n === 0 ? { calls: [{ id: "c", name: "get_weather", input: { town: "Graz" } }] } : { text: "Sorry." },
    );
    const { choices } = await ask({ tools });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Sorry." } });
    expect(JSON.stringify(clerk.asked[1].messages)).toContain("invalid_arguments");
  });

  it("wait for people before they write, as the agent's own tools do", async () => {
    clerk.say((_asked, n) =>
      n === 0 ? { calls: [{ id: "c", name: "set_price", input: { to: 3 } }] } : { text: "Set." },
    );
    const { choices, metadata } = await ask({ tools: [{ type: "function", function: { name: "set_price" } }] });
    expect(choices[0]?.message.content).toMatch(/asked before this goes on/);
    expect(choices[0]?.message.tool_calls).toBeUndefined();
    expect((await app.call("GET", `/v1/tasks/${metadata?.task}`)).body.status).toBe("awaiting_approval");
  });
});

describe("a result", () => {
  const pending = async () => {
    clerk.say(forecast);
    const { choices, metadata } = await ask({ tools, user: "customer-1" });
    return {
      message: choices[0]?.message as Messages[number],
      id: choices[0]?.message.tool_calls?.[0]?.id ?? "",
      metadata,
    };
  };
  const result = (tool_call_id: string, content = "Snow."): Messages[number] => ({
    role: "tool",
    tool_call_id,
    content,
  });

  it.each([
    ["of no call", (id: string) => [result("call_1"), result(id)], "messages[2].tool_call_id"],
    ["that comes twice", (id: string) => [result(id), result(id)], "messages[3].tool_call_id"],
  ])("%s is refused by name", async (_what, results, param) => {
    const { message, id } = await pending();
    const error = await refused(ask({ messages: [...question(), message, ...results(id)] }));
    expect({ status: error.status, param: error.param }).toEqual({ status: 422, param });
  });

  it("that is missing is refused by name", async () => {
    clerk.say(() => ({
      calls: ["Graz", "Linz"].map((city, n) => ({ id: `c${n}`, name: "get_weather", input: { city } })),
    }));
    const { choices } = await ask({ tools });
    const message = choices[0]?.message as Messages[number];
    const id = choices[0]?.message.tool_calls?.[1]?.id ?? "";
    const error = await refused(ask({ messages: [...question(), message, result(id)] }));
    expect([error.status, error.message]).toEqual([422, expect.stringContaining("lacks the result of")]);
  });

  it("counts once, and only from the key and the user that asked", async () => {
    const { message, id } = await pending();
    const messages = [...question(), message, result(id)];
    const other = await app.member("admin");
    const stranger = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: other.secret, maxRetries: 0 });
    const foreign = await refused(stranger.chat.completions.create({ model: "clerk", messages }));
    expect([foreign.status, foreign.code]).toEqual([403, "not_the_caller"]);
    expect((await refused(ask({ messages, user: "customer-2" }))).param).toBe("user");
    expect((await ask({ messages })).choices[0]?.message.content).toBe("It says: Snow.");
    const again = await refused(ask({ messages: [...messages.slice(0, -1), result(id, "Sun.")] }));
    expect([again.status, again.message]).toEqual([409, expect.stringContaining("waits for no results")]);
  });

  it("is no answer that anybody else can give, and no message is taken for it", async () => {
    const { metadata } = await pending();
    const answer = await app.call("POST", `/v1/tasks/${metadata?.task}/input`, { body: { answer: "Snow." } });
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([422, "not_asked"]);
    clerk.say(() => ({ text: "Yes?" }));
    const { choices } = await ask({
      messages: question("Snow."),
      metadata: { conversation: metadata?.conversation ?? "" },
    });
    expect(choices[0]?.message.content).toBe("Yes?");
    expect((await app.call("GET", `/v1/tasks/${metadata?.task}`)).body.status).toBe("input_required");
  });

  it("that never comes ends the task as expired, and its call as unknown", async () => {
    const { metadata } = await pending();
    await app.pool.query("update tasks set deadline = now() - interval '1 minute' where id = $1", [metadata?.task]);
    const task = await vi.waitFor(
      async () => {
        const { body } = await app.call("GET", `/v1/tasks/${metadata?.task}`);
        expect(body.status).toBe("expired");
        return body;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(task.failure.code).toBe("results_missing");
    const steps = await app.call("GET", `/v1/tasks/${metadata?.task}/steps`);
    expect(steps.body.data.find(({ kind }: { kind: string }) => kind === "tool").state).toBe("unknown");
  });
});

describe("images", () => {
  const png = `data:image/png;base64,${Buffer.from("89504e470d0a1a0a00", "hex").toString("base64")}`;
  const look = (url: string, model = "clerk") =>
    client.chat.completions.create({
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
    });

  it("are shown to the model, and kept as files of the conversation", async () => {
    clerk.say(() => ({ text: "A loom." }));
    const { choices, metadata } = await look(png);
    expect(choices[0]?.message.content).toBe("A loom.");
    expect(JSON.stringify(clerk.asked[0].messages.at(-1))).toContain(png);
    const { body } = await app.call("GET", `/v1/chat/conversations/${metadata?.conversation}/messages?order=oldest`);
    expect(body.data[0].parts[1]).toMatchObject({ type: "file", media_type: "image/png" });
  });

  it.each([
    ["an address", "https://example.com/loom.png", "clerk", "messages[0].content[1]"],
    ["what is no image", "data:image/png;base64,aGVsbG8=", "clerk", "messages"],
    ["an image for an agent that takes none", png, "shy", "messages"],
  ])("%s is refused by name", async (_what, url, model, param) => {
    const error = await refused(look(url, model));
    expect({ status: error.status, param: error.param }).toEqual({ status: 422, param });
  });
});

describe("what an agent does not allow", () => {
  it.each([
    ["tools", { tools }, "tools"],
    ["a format", { response_format: { type: "json_object" } }, "response_format"],
    ["functions of the former kind", { functions: [{ name: "get_weather" }] }, "functions"],
  ] as const)("%s is refused by name", async (_what, more, param) => {
    const body = { model: "shy", messages: question(), ...more } as unknown as Create;
    const error = await refused(client.chat.completions.create(body));
    expect({ status: error.status, param: error.param }).toEqual({ status: 422, param });
  });

  it.each([
    ["a name that no rule allows", { name: "drop_table" }, "tools[0].function.name"],
    ["the name of a tool of the service", { name: "ask" }, "tools[0].function.name"],
    ["a schema that is none", { name: "get_x", parameters: { type: "thing" } }, "tools[0].function.parameters.type"],
  ])("%s is refused by name", async (_what, tool, param) => {
    const error = await refused(ask({ tools: [{ type: "function", function: tool }] }));
    expect({ status: error.status, param: error.param }).toEqual({ status: 422, param });
  });
});

describe("POST /v1/responses", () => {
  it("asks for a function, takes its output, and goes on", async () => {
    clerk.say(forecast);
    const given = [{ type: "function" as const, strict: true, ...weather }];
    const first = await client.responses.create({ model: "clerk", input: "The weather in Graz?", tools: given });
    const call = first.output.find(({ type }) => type === "function_call");
    expect([first.status, call]).toMatchObject(["completed", { name: "get_weather", arguments: '{"city":"Graz"}' }]);
    const call_id = call && "call_id" in call ? (call.call_id as string) : "";
    const second = await client.responses.create({
      model: "clerk",
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id, output: "Snow." }],
    });
    expect([second.status, second.output_text]).toEqual(["completed", "It says: Snow."]);
  });
});
