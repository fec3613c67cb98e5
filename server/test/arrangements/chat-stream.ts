import { insertConversation, insertMessage } from "../../src/features/chat/chat.fixture.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

const conversation: Arrange = async (app, environment) => ({
  params: { conversation: await insertConversation(app, {}, environment) },
});

export const arrange: Arrangements = {
  "chat.listConversations": nothing,
  "chat.readConversation": conversation,
  "chat.listMessages": conversation,
  "chat.followConversation": conversation,
  "chat.exportConversation": async (app, environment) => ({ ...(await conversation(app, environment)), body: {} }),
  "chat.searchMessages": async () => ({ params: {}, body: { query: "order" } }),
  "chat.readMessage": async (app, environment) => {
    const id = await insertConversation(app, {}, environment);
    const message = await insertMessage(app, id, "Where is my order?", { environment });
    return { params: { conversation: id, message: message.id } };
  },
};
