import type { Page } from "./chat-types.ts";
import { get, send } from "./client.ts";
import { type Read, untold } from "./queries.ts";

// biome-ignore lint/suspicious/noExplicitAny: until the description of the interface has these calls
const change = send as unknown as (verb: string, path: string, input: object) => Promise<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
const ask = get as unknown as (path: string, input: object, signal?: AbortSignal) => Promise<any>;

export type ChannelKind = "web" | "email" | "slack";
export interface Channel {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly agent: string;
  readonly enabled: boolean;
  readonly config: Readonly<Record<string, unknown>>;
  readonly has_secret: boolean;
  /** The address that Slack calls. */
  readonly events_url: string | null;
  readonly state: "ok" | "disabled" | "failing";
  readonly last_error: string | null;
  readonly last_read_at: string | null;
  readonly deliveries: { readonly waiting: number; readonly failed: number; readonly last_error: string | null };
  readonly revision: number;
  readonly updated_at: string;
}

export const listChannels = (): Read<Page<Channel>> => {
  const input = { query: { limit: 100 } };
  return untold({
    queryKey: ["/v1/chat/channels", input],
    queryFn: ({ signal }) => ask("/v1/chat/channels", input, signal),
  });
};
export interface NewChannel {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly agent: string;
  readonly enabled: boolean;
  readonly config: object;
  readonly secret?: object;
}
/** Connects a channel or changes it; a connection that is enabled is tested. */
export const setChannel = ({ name, ...body }: NewChannel): Promise<Channel> =>
  change("put", "/v1/chat/channels/{channel}", { path: { channel: name }, body });
export const removeChannel = (channel: string): Promise<unknown> =>
  change("delete", "/v1/chat/channels/{channel}", { path: { channel } });
export const touchedChannels = ["/v1/chat/channels"] as unknown as readonly never[];
