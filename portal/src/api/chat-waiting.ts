import { read, untold } from "./queries.ts";

/** Conversations that wait for a person, up to a page of them. */
export const listWaiting = () => untold(read("/v1/chat/conversations", { query: { handler: "waiting", limit: 100 } }));
