import type { ChannelKind } from "./chat-types.ts";
import { type ChangeInput, send } from "./client.ts";
import { read, untold } from "./queries.ts";

export const listChannels = () => untold(read("/v1/chat/channels", { query: { limit: 100 } }));
export interface NewChannel {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly agent: string;
  readonly enabled: boolean;
  readonly config: object;
  readonly secret?: object;
}
/** Connects a channel or changes it; a connection that is switched on is tested. */
export const setChannel = ({ name, ...body }: NewChannel) =>
  send("put", "/v1/chat/channels/{channel}", {
    path: { channel: name },
    body: body as ChangeInput<"put", "/v1/chat/channels/{channel}">["body"],
  });
export const removeChannel = (channel: string) => send("delete", "/v1/chat/channels/{channel}", { path: { channel } });
