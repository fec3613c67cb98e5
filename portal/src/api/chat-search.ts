import { send } from "./client.ts";
import type { Read } from "./queries.ts";

// biome-ignore lint/suspicious/noExplicitAny: until the description of the interface has the search
const change = send as unknown as (verb: string, path: string, input: object) => Promise<any>;

export interface FoundMessage {
  readonly conversation_id: string;
  readonly agent: string;
  readonly user: string | null;
  readonly title: string | null;
  readonly message_id: string;
  readonly role: "user" | "agent" | "person" | "system";
  readonly author_name: string | null;
  readonly created_at: string;
  readonly snippet: string;
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
}
interface Found {
  readonly data: readonly FoundMessage[];
  readonly has_more: boolean;
}
export interface ChatQuestion {
  readonly query: string;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
}
/** Messages with words. It is a POST, and changes nothing. */
export const searchMessages = ({ query, agent, user }: ChatQuestion): Read<Found> => ({
  queryKey: ["/v1/chat/search", { query, agent, user }],
  queryFn: () =>
    change("post", "/v1/chat/search", {
      body: { query, limit: 50, ...(agent ? { agent: [agent] } : {}), ...(user ? { user } : {}) },
    }),
  staleTime: 30_000,
});
