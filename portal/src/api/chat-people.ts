import type { Conversation } from "./chat-types.ts";
import { get, send } from "./client.ts";

// Handing conversations from agents to people and back.

// biome-ignore lint/suspicious/noExplicitAny: until the description of the interface has these calls
const change = send as unknown as (verb: string, path: string, input: object) => Promise<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
const ask = get as unknown as (path: string, input: object, signal?: AbortSignal) => Promise<any>;

const one = "/v1/chat/conversations/{conversation}";
const of = (conversation: string) => ({ path: { conversation } });

export interface HandOff {
  readonly conversation: string;
  readonly to: "person" | "agent";
  readonly member?: string;
  readonly agent?: string;
  readonly reason: string;
  readonly running?: "finish" | "stop";
}
export const handOff = ({ conversation, ...body }: HandOff): Promise<Conversation> =>
  change("post", `${one}/handoff`, { ...of(conversation), body });
/** Takes a conversation over: from then on the caller answers, and the agent does not. */
export const takeOver = (conversation: string): Promise<Conversation> =>
  change("post", `${one}/take`, { ...of(conversation), body: {} });
/** Hands it back to its agent. */
export const handBack = ({ conversation, ...body }: { conversation: string; note?: string }): Promise<Conversation> =>
  change("post", `${one}/return`, { ...of(conversation), body });

export interface Suggestions {
  readonly suggestions: readonly {
    readonly text: string;
    readonly kind: "reply" | "question";
    readonly generated: boolean;
    readonly source: { readonly base: string; readonly title: string; readonly chunk_id: string } | null;
  }[];
  readonly note: string | null;
}
/** Drafts of an answer, for whoever answers. */
export const suggest = (conversation: string): Promise<Suggestions> => ask(`${one}/suggestions`, of(conversation));
