import type { Conversation, Message, Page, Participant, Sent, Turn } from "./chat-types.ts";
import { get, send } from "./client.ts";
import { type Read, untold } from "./queries.ts";
import { upload } from "./upload.ts";

// biome-ignore lint/suspicious/noExplicitAny: until the description of the interface has these calls
const change = send as unknown as (verb: string, path: string, input: object) => Promise<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
const ask = get as unknown as (path: string, input: object, signal?: AbortSignal) => Promise<any>;
const reading = <T>(path: string, input: object): Read<T> =>
  untold({ queryKey: [path, input], queryFn: ({ signal }) => ask(path, input, signal) });

const all = "/v1/chat/conversations";
const one = `${all}/{conversation}`;
const of = (conversation: string) => ({ path: { conversation } });

export interface ConversationFilter {
  readonly agent?: string[];
  readonly user?: string | undefined;
  readonly state?: "open" | "closed";
  readonly channel?: string[];
  readonly handler?: "agent" | "person" | "waiting";
  readonly label?: string | undefined;
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

export const listConversations = (query: ConversationFilter) => reading<Page<Conversation>>(all, { query });

export interface Opened {
  readonly conversation: Conversation;
  /** The newest ones. */
  readonly messages: Page<Message>;
}
const messagesOf = (conversation: string, cursor: string | undefined, signal?: AbortSignal): Promise<Page<Message>> =>
  ask(`${one}/messages`, { ...of(conversation), query: { limit: 50, ...(cursor ? { cursor } : {}) } }, signal);
/**
 * A conversation with its newest messages. The conversation is read first: what its messages have of later events comes again by its stream, and nothing is left
 * out between the two.
 */
export const openConversation = (conversation: string): Read<Opened> => ({
  queryKey: [one, of(conversation)],
  queryFn: async ({ signal }) => ({
    conversation: await ask(one, of(conversation), signal),
    messages: await messagesOf(conversation, undefined, signal),
  }),
});
/** The messages before those of a page. */
export const earlierMessages = ({ conversation, cursor }: { conversation: string; cursor: string }) =>
  messagesOf(conversation, cursor);
export const listParticipants = (conversation: string) =>
  reading<Page<Participant>>(`${one}/participants`, of(conversation));

export interface NewConversation {
  readonly agent: string;
  readonly user?: string;
  readonly title?: string;
  readonly language?: string;
  readonly labels?: readonly string[];
  readonly context?: Readonly<Record<string, unknown>>;
}
export const startConversation = (body: NewConversation): Promise<Conversation> => change("post", all, { body });

export interface NewMessage {
  readonly conversation: string;
  readonly text: string;
  readonly files?: readonly string[];
  readonly when_busy?: "queue" | "interrupt" | "reject";
  /** Who writes: the user, or the person who took the conversation over. */
  readonly as?: "person";
}
export const sendMessage = ({ conversation, ...body }: NewMessage): Promise<Sent> =>
  change("post", `${one}/messages`, { ...of(conversation), body });
export const stopReply = (conversation: string): Promise<unknown> => change("post", `${one}/stop`, of(conversation));

interface InMessage {
  readonly conversation: string;
  readonly message: string;
}
export const regenerate = (path: InMessage): Promise<Turn> =>
  change("post", `${one}/messages/{message}/regenerate`, { path });
/** Takes a message back: its text is removed, its place stays. */
export const retractMessage = ({ redact, ...path }: InMessage & { redact: boolean }): Promise<Message> =>
  change("delete", `${one}/messages/{message}`, { path, query: redact ? { redact: true } : {} });
export const rateMessage = ({ conversation, message, ...body }: InMessage & { accepted: boolean; comment?: string }) =>
  change("post", `${one}/messages/{message}/feedback`, { path: { conversation, message }, body }) as Promise<unknown>;
export const forkConversation = ({ conversation, message }: InMessage): Promise<Conversation> =>
  change("post", `${one}/fork`, { ...of(conversation), body: { message_id: message } });
export const compactConversation = (conversation: string): Promise<unknown> =>
  change("post", `${one}/compact`, { ...of(conversation), body: {} });
export const changeConversation = ({
  conversation,
  ...body
}: {
  conversation: string;
  title?: string | null;
  labels?: readonly string[];
  language?: string | null;
  context?: Readonly<Record<string, unknown>>;
}): Promise<Conversation> => change("patch", one, { ...of(conversation), body });
export const closeConversation = ({ conversation, erase }: { conversation: string; erase: "now" | "retention" }) =>
  change("delete", one, { ...of(conversation), query: { erase } }) as Promise<unknown>;

interface Attachment {
  readonly conversation: string;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onSent: (share: number) => void;
}
export function attachFile({ conversation, file, signal, onSent }: Attachment) {
  const form = new FormData();
  form.append("file", file);
  return upload<{ file_id: string; name: string; size: number }>({
    path: `${all}/${encodeURIComponent(conversation)}/files`,
    ...{ form, signal, onSent },
  });
}
/** Where a file of a conversation is downloaded. */
export const fileAddress = (conversation: string, file: string): string =>
  `${all}/${encodeURIComponent(conversation)}/files/${encodeURIComponent(file)}`;

/** Reads that a change of a conversation makes stale. What is shown of one is kept in step by its own stream. */
export const touchedConversations = [all] as unknown as readonly never[];

export type ExportFormat = "json" | "markdown" | "text";
const endings: Readonly<Record<ExportFormat, string>> = { json: "json", markdown: "md", text: "txt" };
/** The transcript as a file. */
export async function exportConversation({ conversation, format }: { conversation: string; format: ExportFormat }) {
  const blob: Blob = await change("post", `${one}/export`, { ...of(conversation), body: { format }, parseAs: "blob" });
  return { name: `${conversation}.${endings[format]}`, blob };
}
