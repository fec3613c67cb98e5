import type { Arrangements } from "./arranged.ts";
import * as channels from "./chat-channels.ts";
import * as conversations from "./chat-conversations.ts";
import * as people from "./chat-people.ts";
import * as stream from "./chat-stream.ts";
import * as turns from "./chat-turns.ts";
import * as widget from "./chat-widget.ts";

export const arrange: Arrangements = {
  ...channels.arrange,
  ...conversations.arrange,
  ...people.arrange,
  ...stream.arrange,
  ...turns.arrange,
  ...widget.arrange,
};
