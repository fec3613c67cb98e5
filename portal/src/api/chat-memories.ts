import type { Page } from "./chat-types.ts";
import { get, send } from "./client.ts";
import { type Read, untold } from "./queries.ts";

// biome-ignore lint/suspicious/noExplicitAny: until the description of the interface has these calls
const change = send as unknown as (verb: string, path: string, input: object) => Promise<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
const ask = get as unknown as (path: string, input: object, signal?: AbortSignal) => Promise<any>;

export interface Memory {
  readonly memory_id: string;
  readonly user: string | null;
  readonly conversation_id: string | null;
  readonly text: string;
  /** The message that it was taken from. */
  readonly source_message: string | null;
  readonly generated: boolean;
  readonly author: string;
  readonly created_at: string;
}
/** Whose memories: of a user, or of a conversation alone. */
export type OfWhom = { readonly user: string } | { readonly conversation: string };

export const listMemories = (whom: OfWhom): Read<Page<Memory>> => {
  const input = { query: { ...whom, limit: 100 } };
  return untold({
    queryKey: ["/v1/chat/memories", input],
    queryFn: ({ signal }) => ask("/v1/chat/memories", input, signal),
  });
};
export const addMemory = (body: { text: string; user?: string; conversation?: string }): Promise<Memory> =>
  change("post", "/v1/chat/memories", { body });
export const eraseMemory = (memory: string): Promise<unknown> =>
  change("delete", "/v1/chat/memories/{memory}", { path: { memory } });
export const touchedMemories = ["/v1/chat/memories"] as unknown as readonly never[];
