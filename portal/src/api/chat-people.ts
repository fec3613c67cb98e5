import type { Suggestions } from "./chat-types.ts";
import { type ChangeInput, get, send } from "./client.ts";
import { read, untold } from "./queries.ts";

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

/** The queues of teams. */
export const listQueues = () => untold(read("/v1/chat/queues", {}));
/** What helps whoever takes over: summary, notes, saved replies. */
export const readHandoff = (conversation: string) =>
  untold(read("/v1/chat/conversations/{conversation}/handoff", of(conversation)));
export const addNote = ({ conversation, text }: { conversation: string; text: string }) =>
  send("post", "/v1/chat/conversations/{conversation}/notes", { ...of(conversation), body: { text } });
/** Gives a waiting conversation to a member; null: back to where it waits. */
export const assign = ({ conversation, member }: { conversation: string; member: string | null }) =>
  send("post", "/v1/chat/conversations/{conversation}/assign", { ...of(conversation), body: { member } });
