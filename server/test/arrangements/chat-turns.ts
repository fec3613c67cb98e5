import type { Arrangements } from "./arranged.ts";
import { inConversation } from "./chat-conversations.ts";

export const arrange: Arrangements = {
  "chat.sendMessage": inConversation({ text: "Where is my order?" }),
};
