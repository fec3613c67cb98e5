import { type Arrange, type Arrangements, nothing } from "./arranged.ts";
import { inConversation, newConversation } from "./chat-conversations.ts";

/** Waits for a person. */
const waiting =
  (body: object): Arrange =>
  async (app, environment) => {
    const conversation = await newConversation(app, environment);
    const path = `/v1/chat/conversations/${conversation}/handoff`;
    const answered = await app.call("POST", path, { environment, body: { to: "person", reason: "Asked for one." } });
    if (answered.status !== 200) throw new Error(`POST ${path} answered ${answered.status}: ${answered.text}`);
    return { params: { conversation }, body };
  };

const team: Arrange = async (app, environment) => {
  const path = "/v1/admin/teams/queue";
  await app.call("PUT", path, { environment, body: { title: "Queue", members: [] } });
  return { params: { team: "queue" } };
};

export const arrange: Arrangements = {
  "chat.listQueues": nothing,
  "chat.readQueue": team,
  "chat.readHandoff": inConversation(),
  "chat.addNote": inConversation({ text: "Be kind." }),
  "chat.assignConversation": waiting({ member: null }),
  "chat.handoffConversation": inConversation({ to: "person", reason: "Asked for one." }),
  "chat.takeConversation": inConversation({}),
  "chat.returnConversation": waiting({ note: "Settled." }),
  "chat.transferConversation": inConversation({ user: "customer-4712" }),
  "chat.readSuggestions": inConversation(),
};
