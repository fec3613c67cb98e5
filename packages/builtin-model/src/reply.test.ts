import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { createBuiltinModel } from "./model.ts";

const model = createBuiltinModel({ artifact: null });
const function_ = (name: string, required: string[]) => ({
  type: "function" as const,
  name,
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
  expect(await answer(history)).toEqual([["search", { query: "Can I return worn shoes after delivery?" }]]);
  expect(await answer(history, { situation: { order_id: "17" } })).toEqual([["get_order", { order_id: "17" }]]);
});

it("answers in plain text with what it found", async () => {
  const text = "Worn shoes can be returned within 30 days after delivery.";
  const chunks = [{ id: "c1", title: "Returns", text }];
  expect(await answer([...history, result({ chunks })])).toEqual([text]);
});

it("says that it found nothing in the conversation's language, else in that of the question", async () => {
  const nothing = result({ chunks: [], outcome: "nothing" });
  const inGerman = await answer([...history, nothing], { language: "de-AT" });
  expect(inGerman[0]).toMatch(/^Dazu habe ich nichts gefunden/);
  expect((await answer([...history, nothing]))[0]).toMatch(/^I have found nothing about this/);
  expect((await answer([said("user", "¿Cuánto cuesta el envío?"), nothing]))[0]).toMatch(/^No he encontrado nada/);
});

const passage = (page: number, text: string, url?: string) => ({
  id: `doc_${page}#1`,
  citation: `cit_${String(page).repeat(26)}11111111`,
  title: `Page ${page}`,
  text,
  score: 9 - page,
  ...(url && { url }),
});
const chunks = [
  passage(1, "Worn shoes can be returned within 30 days after delivery.", "https://shop.example/returns"),
  passage(2, "Worn shoes can be returned after delivery to any of our shops, worn or not."),
  passage(3, "Delivery to Norway takes five days."),
  passage(4, "Shoes are made of leather."),
];

it("quotes the page that answers and no other one", async () => {
  expect(await answer([...history, result({ chunks, outcome: "answered" })])).toEqual([chunks[0]?.text]);
  const other = [passage(1, "See the price list. It is new."), ...chunks.slice(1)];
  const [text] = await answer([...history, result({ chunks: other, outcome: "answered" })]);
  expect(text).toBe("See the price list. It is new.");
});

it("lists three pages as links where it is not sure, and quotes none", async () => {
  const [text] = await answer([...history, result({ chunks, outcome: "unsure" })]);
  expect(text).toBe(
    "I am not sure. The answer may be on one of these pages:\n\n- [Page 1](https://shop.example/returns)\n- Page 2\n- Page 3",
  );
});

it("lets no title of a document end its link or begin another one", async () => {
  const hostile = { ...passage(1, "x", "https://shop.example/a"), title: "a](https://evil.example) ![b" };
  const [text] = await answer([...history, result({ chunks: [hostile], outcome: "unsure" })]);
  expect(text).toMatch(/- \[a {2}https:\/\/evil.example {4}b\]\(https:\/\/shop.example\/a\)$/);
});

it("says which word it read instead of a misspelt one", async () => {
  const corrected = [{ from: "retrun", to: "return" }];
  const [text] = await answer([...history, result({ chunks, outcome: "answered", corrected })]);
  expect(text).toBe(`I searched for “return” instead of “retrun”.\n\n${chunks[0]?.text}`);
});

it("greets, thanks and hears that a person is asked for, without a search", async () => {
  expect(await answer([said("user", "Hello!")])).toEqual(["Hello! What would you like to know?"]);
  expect(await answer([said("user", "Vielen Dank")], { language: "de" })).toEqual([
    "Gern geschehen. Kann ich sonst noch helfen?",
  ]);
  expect((await answer([said("user", "a person, please")]))[0]).toMatch(/^Of course/);
});

it("hands over by the tool where there is one, and says so then", async () => {
  const withTool = async (prompt: LanguageModelV4Prompt) => {
    const handOver = function_("hand_over", ["team", "reason"]);
    const properties = { team: { enum: ["support", "billing"] }, reason: { type: "string", maxLength: 500 } };
    const offered = [...tools, { ...handOver, inputSchema: { ...handOver.inputSchema, properties } }];
    const options = { prompt, tools: offered, providerOptions: { builtin: { chat: {} } } };
    return (await model.doGenerate(options as unknown as LanguageModelV4CallOptions)).content;
  };
  const asked = said("user", "I want to talk to a human");
  const [call] = await withTool([asked]);
  expect(call).toMatchObject({ type: "tool-call", toolName: "hand_over" });
  const given = { team: "support", reason: "The user asks for a person." };
  expect(call?.type === "tool-call" && JSON.parse(call.input)).toEqual(given);
  const after = (output: LanguageModelV4ToolResultOutput): LanguageModelV4Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "1", toolName: "hand_over", output }],
  });
  const done = after({ type: "json", value: { queued: true } });
  expect(await withTool([asked, done])).toMatchObject([{ text: "A person will answer you here." }]);
  const refused = after({ type: "error-json", value: { code: "policy_blocked" } });
  expect(await withTool([asked, refused])).toMatchObject([{ text: expect.stringMatching(/^Of course/) }]);
});
