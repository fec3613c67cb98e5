import type { Suggestions } from "./chat-types.ts";
import { type ChangeInput, get, send } from "./client.ts";

// Handing conversations from agents to people and back.

const of = (conversation: string) => ({ path: { conversation } });

export const handOff = ({
  conversation,
  ...body
}: { conversation: string } & ChangeInput<"post", "/v1/chat/conversations/{conversation}/handoff">["body"]) =>
  send("post", "/v1/chat/conversations/{conversation}/handoff", { ...of(conversation), body });
/** Takes a conversation over: from then on the caller answers, and the agent does not. */
export const takeOver = (conversation: string) =>
  send("post", "/v1/chat/conversations/{conversation}/take", { ...of(conversation), body: {} });
/** Hands it back to its agent. */
export const handBack = ({ conversation, ...body }: { conversation: string; note?: string }) =>
  send("post", "/v1/chat/conversations/{conversation}/return", { ...of(conversation), body });
/** Drafts of an answer, for whoever answers. */
export const suggest = (conversation: string): Promise<Suggestions> =>
  get("/v1/chat/conversations/{conversation}/suggestions", of(conversation));
