import { insertConversation, insertMessage } from "../../src/features/chat/chat.fixture.ts";
import { insertTurn } from "../../src/features/chat/turns.fixture.ts";
import type { Arrangements } from "./arranged.ts";
import { inConversation } from "./chat-conversations.ts";

export const arrange: Arrangements = {
  "chat.sendMessage": inConversation({ text: "Where is my order?" }),
  "chat.stopReply": inConversation({}),
  "chat.regenerateMessage": async (app, environment) => {
    await app.deploy(environment);
    const conversation = await insertConversation(app, {}, environment);
    const asked = await insertMessage(app, conversation, "Where is my order?", { environment });
    const turn = await insertTurn(app, conversation, asked.id, environment);
    const text = "On its way.";
    const reply = await insertMessage(app, conversation, text, { environment, role: "agent", author: "sales", turn });
    return { params: { conversation, message: reply.id }, body: {} };
  },
};
