import type { Conversation, Message } from "./chat-types.ts";
import { type Answer, type ChangeInput, type GetQuery, get, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import { upload } from "./upload.ts";

export type ConversationFilter = GetQuery<"/v1/chat/conversations">;

const of = (conversation: string) => ({ path: { conversation } });

export const listConversations = (query: ConversationFilter) => untold(read("/v1/chat/conversations", { query }));
export const listParticipants = (conversation: string) =>
  untold(read("/v1/chat/conversations/{conversation}/participants", { ...of(conversation), query: { limit: 100 } }));

export interface Opened {
  readonly conversation: Conversation;
  /** The newest ones. */
  readonly messages: MessagePage;
}
type MessagePage = Answer<"/v1/chat/conversations/{conversation}/messages">;
const messagesOf = (conversation: string, cursor: string | undefined, signal?: AbortSignal): Promise<MessagePage> =>
  get(
    "/v1/chat/conversations/{conversation}/messages",
    { ...of(conversation), query: { limit: 50, ...(cursor ? { cursor } : {}) } },
    signal,
  );
/**
 * A conversation with its newest messages. The conversation is read first: what its messages have of later events comes again by its stream, and nothing is left
 * out between the two.
 */
export const openConversation = (conversation: string): Read<Opened> => ({
  queryKey: ["/v1/chat/conversations/{conversation}", of(conversation)],
  queryFn: async ({ signal }) => ({
    conversation: await get("/v1/chat/conversations/{conversation}", of(conversation), signal),
    messages: await messagesOf(conversation, undefined, signal),
  }),
});
/** The messages before those of a page. */
export const earlierMessages = ({ conversation, cursor }: { conversation: string; cursor: string }) =>
  messagesOf(conversation, cursor);

export const startConversation = (body: ChangeInput<"post", "/v1/chat/conversations">["body"]) =>
  send("post", "/v1/chat/conversations", { body });
export const sendMessage = ({
  conversation,
  ...body
}: { conversation: string } & ChangeInput<"post", "/v1/chat/conversations/{conversation}/messages">["body"]) =>
  send("post", "/v1/chat/conversations/{conversation}/messages", { ...of(conversation), body });
export const stopReply = (conversation: string) =>
  send("post", "/v1/chat/conversations/{conversation}/stop", { ...of(conversation), body: {} });

interface InMessage {
  readonly conversation: string;
  readonly message: string;
}
export const regenerate = (path: InMessage) =>
  send("post", "/v1/chat/conversations/{conversation}/messages/{message}/regenerate", { path });
/** Takes a message back: its text is removed, its place stays. */
export const retractMessage = (path: InMessage): Promise<Message> =>
  send("delete", "/v1/chat/conversations/{conversation}/messages/{message}", { path });
export const rateMessage = ({ conversation, message, ...body }: InMessage & { accepted: boolean; comment?: string }) =>
  send("post", "/v1/chat/conversations/{conversation}/messages/{message}/feedback", {
    path: { conversation, message },
    body,
  });
export const forkConversation = ({ conversation, message }: InMessage) =>
  send("post", "/v1/chat/conversations/{conversation}/fork", { ...of(conversation), body: { message_id: message } });
export const changeConversation = ({
  conversation,
  ...body
}: { conversation: string } & ChangeInput<"patch", "/v1/chat/conversations/{conversation}">["body"]) =>
  send("patch", "/v1/chat/conversations/{conversation}", { ...of(conversation), body });
export const closeConversation = ({ conversation, erase }: { conversation: string; erase: "now" | "retention" }) =>
  send("delete", "/v1/chat/conversations/{conversation}", { ...of(conversation), query: { erase } });

interface Attachment {
  readonly conversation: string;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onSent: (share: number) => void;
}
const filesOf = (conversation: string): string => `/v1/chat/conversations/${encodeURIComponent(conversation)}/files`;
export function attachFile({ conversation, file, signal, onSent }: Attachment) {
  const form = new FormData();
  form.append("file", file);
  return upload<{ file_id: string; name: string; size: number }>({ path: filesOf(conversation), form, signal, onSent });
}
/** Where a file of a conversation is downloaded. */
export const fileAddress = (conversation: string, file: string): string =>
  `${filesOf(conversation)}/${encodeURIComponent(file)}`;

/** Reads that a change of a conversation makes stale. What is shown of one is kept in step by its own stream. */
export const touchedConversations = ["/v1/chat/conversations"] as const;

export const compactConversation = (conversation: string) =>
  send("post", "/v1/chat/conversations/{conversation}/compact", { ...of(conversation), body: {} });

/** Formats of a transcript, each with its media type and the ending of its file. */
const formats = {
  markdown: ["text/markdown", "md"],
  text: ["text/plain", "txt"],
  json: ["application/json", "json"],
} as const;
export type ExportFormat = keyof typeof formats;
/** The transcript as a file. */
export async function exportConversation({ conversation, format }: { conversation: string; format: ExportFormat }) {
  const [type, ending] = formats[format];
  const input = { ...of(conversation), body: {}, headers: { Accept: type }, parseAs: "blob" };
  const blob: unknown = await send("post", "/v1/chat/conversations/{conversation}/export", input);
  return { name: `${conversation}.${ending}`, blob: blob as Blob };
}
