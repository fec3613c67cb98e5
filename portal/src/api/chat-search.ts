import { send } from "./client.ts";
import type { Read } from "./queries.ts";
import type { Schema } from "./types.ts";

export type FoundMessage = Schema<"FoundMessage">;
export interface ChatQuestion {
  readonly query: string;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
}
/** Messages with words. It is a POST, and changes nothing. */
export const searchMessages = ({ query, agent, user }: ChatQuestion): Read<Schema<"ChatSearchAnswer">> => ({
  queryKey: ["/v1/chat/search", { query, agent, user }],
  queryFn: () =>
    send("post", "/v1/chat/search", {
      body: { query, limit: 50, ...(agent ? { agent: [agent] } : {}), ...(user ? { user } : {}) },
    }),
  staleTime: 30_000,
});
