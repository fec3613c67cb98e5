import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrange, Arrangements } from "./arranged.ts";

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

export const arrange: Arrangements = {
  "chat.startConversation": async (app, environment) => {
    await app.deploy(environment);
    return { params: {}, body };
  },
};
