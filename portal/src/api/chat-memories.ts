import { type ChangeInput, send } from "./client.ts";
import { read, untold } from "./queries.ts";

/** Whose memories: of a user, or of a conversation alone. */
export type OfWhom = { readonly user: string } | { readonly conversation: string };

export const listMemories = (whom: OfWhom) => untold(read("/v1/chat/memories", { query: { ...whom, limit: 100 } }));
export const addMemory = (body: ChangeInput<"post", "/v1/chat/memories">["body"]) =>
  send("post", "/v1/chat/memories", { body });
export const eraseMemory = (memory: string) => send("delete", "/v1/chat/memories/{memory}", { path: { memory } });
