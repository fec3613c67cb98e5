import type { Arrangements } from "./arranged.ts";
import * as conversations from "./chat-conversations.ts";
import * as stream from "./chat-stream.ts";
import * as turns from "./chat-turns.ts";

export const arrange: Arrangements = {
  ...conversations.arrange,
  ...stream.arrange,
  ...turns.arrange,
};
