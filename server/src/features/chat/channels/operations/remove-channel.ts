import { exempt } from "../../../../kernel/operation.ts";
import { channels } from "../resource.ts";
import { RemovedChannel } from "../schemas.ts";
import { deleteChannel } from "../store.ts";

export const removeChannel = channels.removeOperation({
  id: "chat.removeChannel",
  summary: "Disconnect a channel",
  description: "Destroys its secret; nothing is received or sent by it afterwards. Its conversations stay.",
  output: RemovedChannel,
  decides: exempt("disconnects a channel; brings no messages"),
  remove: (ctx, { name }) => deleteChannel(ctx, name),
});
