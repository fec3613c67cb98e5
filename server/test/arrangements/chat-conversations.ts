import { insertExchange } from "../../src/features/chat/conversations/conversation.fixture.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arranged, type Arrangements, nothing } from "./arranged.ts";

const body = { agent: "sales", user: "customer-4711", language: "en" };

/** A new conversation with an agent that is deployed; answers its id. */
export async function newConversation(app: TestApp, environment: Environment, more: object = {}): Promise<string> {
  await app.deploy(environment);
  const started = await app.call("POST", "/v1/chat/conversations", { environment, body: { ...body, ...more } });
  if (started.status !== 201) throw new Error(`starting a conversation answered ${started.status}: ${started.text}`);
  return started.body.conversation_id;
}

/** A new conversation, and the body of the call. */
export const inConversation =
  (given?: object): Arrange =>
  async (app, environment) => ({
    params: { conversation: await newConversation(app, environment) },
    ...(given && { body: given }),
  });

const answered = async (app: TestApp, environment: Environment, body?: object): Promise<Arranged> => {
  const conversation = await newConversation(app, environment);
  const { reply } = await insertExchange(app, conversation, { text: "Hello", reply: "Hello.", environment });
  return { params: { conversation, message: reply.id }, ...(body && { body }) };
};

const file = { name: "order.txt", text: "Order 4711: two looms." };
const memory = { user: "customer-4711", text: "Wants parcels left with the neighbour." };

export const arrange: Arrangements = {
  "chat.startConversation": async (app, environment) => {
    await app.deploy(environment);
    return { params: {}, body };
  },
  "chat.changeConversation": inConversation({ title: "Changed" }),
  "chat.deleteConversation": inConversation({}),
  "chat.listParticipants": inConversation(),
  "chat.forkConversation": async (app, environment) => {
    const { params } = await answered(app, environment);
    return { params: { conversation: params.conversation as string }, body: {} };
  },
  "chat.rateMessage": (app, environment) => answered(app, environment, { accepted: true }),
  "chat.retractMessage": (app, environment) => answered(app, environment, {}),
  "chat.compactConversation": async (app, environment) => {
    const { params } = await answered(app, environment);
    return { params: { conversation: params.conversation as string }, body: { keep: 0 } };
  },
  "chat.addFile": inConversation(file),
  "chat.readFile": async (app, environment) => {
    const conversation = await newConversation(app, environment);
    const path = `/v1/chat/conversations/${conversation}/files`;
    const added = await app.call("POST", path, { environment, body: file });
    return { params: { conversation, file: added.body.file_id } };
  },
  "chat.listMemories": nothing,
  "chat.createMemory": async () => ({ params: {}, body: memory }),
  "chat.deleteMemory": async (app, environment) => {
    const made = await app.call("POST", "/v1/chat/memories", { environment, body: memory });
    return { params: { memory: made.body.memory_id }, body: {} };
  },
};
