import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { createBuiltinModel } from "./model.ts";

const model = createBuiltinModel({ artifact: null });
const function_ = (name: string, required: string[]) => ({
  ...{ type: "function" as const, name },
  inputSchema: {
    type: "object" as const,
    required,
    properties: Object.fromEntries(required.map((one) => [one, { type: "string" }])) as never,
  },
});
const tools = [function_("search", ["query"]), function_("get_order", ["order_id"]), function_("list_all", [])];
const said = (role: "user" | "assistant", text: string): LanguageModelV4Message => ({
  role,
  content: [{ type: "text", text }],
});

async function answer(prompt: LanguageModelV4Prompt, chat: { language?: string; situation?: object } = {}) {
  const options = { prompt, tools, providerOptions: { builtin: { chat } } } as unknown as LanguageModelV4CallOptions;
  const { content } = await model.doGenerate(options);
  return content.map((part) =>
    part.type === "tool-call" ? [part.toolName, JSON.parse(part.input)] : part.type === "text" && part.text,
  );
}

const history: LanguageModelV4Prompt = [
  { role: "system", content: "You sell shoes." },
  said("user", "How long does delivery to Norway take?"),
  said("assistant", "Five days."),
  said("user", "Can I return worn shoes after delivery?"),
];
const result = (data: unknown): LanguageModelV4Message => ({
  role: "tool",
  content: [
    {
      type: "tool-result",
      toolCallId: "1",
      toolName: "search",
      output: { type: "json", value: { from: "search", data: data as never } },
    },
  ],
});

it("searches by what the user wrote last, and looks up what the situation names", async () => {
  expect(await answer(history)).toEqual([["search", { query: "can return worn shoes after delivery" }]]);
  expect(await answer(history, { situation: { order_id: "17" } })).toEqual([["get_order", { order_id: "17" }]]);
});

it("answers in plain text with what it found", async () => {
  const text = "Worn shoes can be returned within 30 days after delivery.";
  const chunks = [{ id: "c1", title: "Returns", text }];
  expect(await answer([...history, result({ chunks })])).toEqual([text]);
});

it("says in the conversation's language that it does not know", async () => {
  const [english, german] = [
    await answer([...history, result({ chunks: [] })]),
    await answer([...history, result({ chunks: [] })], { language: "de-AT" }),
  ];
  expect(english).toEqual(["I do not know: I have found nothing that answers this."]);
  expect(german[0]).toMatch(/^Das weiß ich nicht/);
});
