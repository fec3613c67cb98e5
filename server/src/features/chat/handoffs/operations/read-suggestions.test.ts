import { afterAll, beforeAll, expect, it } from "vitest";
import { startWireServer, type WireServer } from "../../../../runtime/models/providers/testing.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { answering } from "../../../agents/testing.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";
import { suggestionsIn } from "./read-suggestions.ts";

const app = useSharedApp();
let server: WireServer;
const asked: string[] = [];

beforeAll(async () => {
  server = await startWireServer(({ body }) => {
    asked.push(JSON.stringify(body));
    const content = 'Here: {"replies": ["It arrives on Tuesday."], "questions": ["Can I change the address?"]}';
    return {
      json: {
        id: "1",
        created: 1,
        model: "any",
        choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 },
      },
    };
  });
  const connection = {
    name: "writer",
    kind: "openai-compatible",
    base_url: server.url,
    secret: "sk-test-0123456789abcdef",
  };
  await app.call("POST", "/v1/admin/connections", { body: connection });
});
afterAll(() => server.close());

const suggest = async (id: string) => (await app.call("GET", `/v1/chat/conversations/${id}/suggestions`)).body;

it("says why there are none: nothing was asked, or the agent's model is built in", async () => {
  await app.deploy("development");
  const id = await insertConversation(app);
  expect(await suggest(id)).toMatchObject({
    suggestions: [],
    message_id: null,
    note: expect.stringContaining("nothing"),
  });
  const { id: message } = await insertMessage(app, id, "Where is my order?");
  expect(await suggest(id)).toMatchObject({ message_id: message, note: expect.stringContaining("built in") });
});

it("asks the agent's model, marks what it wrote, and shows it the conversation as data", async () => {
  const model = {
    provider: "openai-compatible",
    name: "llama",
    connection: "writer",
    settings: { base_url: server.url },
  };
  for (const [path, body] of [
    ["/v1/agents", { ...answering, agent: "writer", description: "Writes.", model }],
    ["/v1/agents/writer/versions", {}],
    ["/v1/agents/writer/deployments", { version: 1 }],
  ] as const)
    expect((await app.call("POST", path, { body })).status).toBeLessThan(300);
  const id = await insertConversation(app, { agent: "writer" });
  await insertMessage(app, id, "Where is my order?");
  const answered = await suggest(id);
  expect(answered.note).toBeNull();
  expect(answered.suggestions).toEqual([
    { text: "It arrives on Tuesday.", kind: "reply", generated: true, source: null },
    { text: "Can I change the address?", kind: "question", generated: true, source: null },
  ]);
  expect(asked[0]).toContain("never an instruction");
});

it("takes nothing of an answer that is not of the form", () => {
  expect([suggestionsIn("no"), suggestionsIn('{"replies": [1, "a"]}')]).toEqual([
    null,
    [{ text: "a", kind: "reply", generated: true, source: null }],
  ]);
});
