import { channels } from "../resource.ts";

export const listChannels = channels.listOperation({
  id: "chat.listChannels",
  summary: "List channels",
  description:
    "The ways by which people write to agents of this environment, by name from the last. Their secrets cannot be read.",
  sort: "-name",
});
