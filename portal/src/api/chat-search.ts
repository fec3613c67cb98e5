import { send } from "./client.ts";
import type { Read } from "./queries.ts";

// biome-ignore lint/suspicious/noExplicitAny: until the description of the interface has these calls
const change = send as unknown as (verb: string, path: string, input: object) => Promise<any>;

export interface FoundMessage {
  readonly conversation_id: string;
  readonly message_id: string;
  readonly snippet: string;
}
export interface ChatQuestion {
  readonly query: string;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
}
/** Messages with words. It is a POST, and changes nothing. */
export const searchMessages = ({
  query,
  agent,
  user,
}: ChatQuestion): Read<{ readonly data: readonly FoundMessage[]; readonly has_more: boolean }> => ({
  queryKey: ["/v1/chat/search", { query, agent, user }],
  queryFn: () =>
    change("post", "/v1/chat/search", { body: { query, ...(agent ? { agent } : {}), ...(user ? { user } : {}) } }),
  staleTime: 30_000,
});
