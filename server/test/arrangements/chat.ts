import type { Arrangements } from "./arranged.ts";
import * as conversations from "./chat-conversations.ts";

export const arrange: Arrangements = {
  ...conversations.arrange,
};
