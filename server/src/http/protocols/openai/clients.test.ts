import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, isStepCount, jsonSchema, Output, tool } from "ai";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { forecast, useClerk, weather } from "./callers.fixture.ts";

// Libraries that speak OpenAI's interface, as their users call them: only the address and the key are ours.

const app = useApp({ role: "all" });
const clerk = useClerk(app);

const order = {
  title: "order",
  type: "object",
  required: ["number"],
  additionalProperties: false,
  properties: { number: { type: "integer" } },
} as const;

describe("LangChain", () => {
  let model: ChatOpenAI;
  beforeAll(() => {
    const configuration = { baseURL: `${app.url}/v1` };
    model = new ChatOpenAI({ model: "clerk", apiKey: app.key("admin"), configuration, maxRetries: 0 });
  });

  it("binds tools, and goes on with their results", async () => {
    clerk.say(forecast);
    const bound = model.bindTools([{ type: "function", function: weather }]);
    const asked = new HumanMessage("What is the weather in Graz?");
    const first = await bound.invoke([asked]);
    expect(first.tool_calls).toMatchObject([{ name: "get_weather", args: { city: "Graz" } }]);
    const result = new ToolMessage({ tool_call_id: first.tool_calls?.[0]?.id ?? "", content: "Snow." });
    expect((await bound.invoke([asked, first, result])).text).toBe("It says: Snow.");
  });

  it("streams calls that it puts together", async () => {
    clerk.say(forecast);
    const bound = model.bindTools([{ type: "function", function: weather }]);
    const stream = await bound.stream("What is the weather in Graz?");
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const whole = chunks.reduce((all, chunk) => all.concat(chunk));
    expect(whole.tool_calls).toMatchObject([{ name: "get_weather", args: { city: "Graz" } }]);
  });

  it("reads structured output by a schema", async () => {
    clerk.say(() => ({ text: '{"number": 4711}' }));
    const structured = model.withStructuredOutput(order, { name: "order", method: "jsonSchema" });
    expect(await structured.invoke("Which order?")).toEqual({ number: 4711 });
  });
});

describe("the AI SDK", () => {
  const provider = () =>
    createOpenAICompatible({
      name: "agents",
      baseURL: `${app.url}/v1`,
      apiKey: app.key("admin"),
      supportsStructuredOutputs: true,
    })("clerk");

  it("calls tools until the agent answers", async () => {
    clerk.say(forecast);
    const get_weather = tool({
      description: weather.description,
      inputSchema: jsonSchema<{ city: string }>(weather.parameters as never),
      execute: async ({ city }) => (city === "Graz" ? "Snow." : "Sun."),
    });
    const { text, steps } = await generateText({
      model: provider(),
      prompt: "What is the weather in Graz?",
      tools: { get_weather },
      stopWhen: isStepCount(3),
    });
    expect([text, steps.length]).toEqual(["It says: Snow.", 2]);
  });

  it("reads an object by a schema", async () => {
    clerk.say(() => ({ text: '{"number": 4711}' }));
    const { output } = await generateText({
      model: provider(),
      prompt: "Which order?",
      output: Output.object({ schema: jsonSchema(order as never) }),
    });
    expect(output).toEqual({ number: 4711 });
  });
});
