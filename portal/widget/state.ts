import type { Conversation, Message, Part, StreamEvent } from "./types.ts";

/** What the widget knows of a conversation. Never changed in place: what is the same object needs no new drawing. */
export interface ChatState {
  readonly conversation: Conversation | null;
  /** By their number. */
  readonly messages: readonly Message[];
  /** The latest event that is in it. */
  readonly sequence: number;
  /** Whether the agent is answering. */
  readonly busy: boolean;
  /**
   * Replies that were read while they were written. A delta that follows may be in them already, so these show nothing further until an event says what the part is.
   */
  readonly halfRead: ReadonlySet<string>;
}

export const emptyState: ChatState = {
  conversation: null,
  messages: [],
  sequence: 0,
  busy: false,
  halfRead: new Set(),
};

/** What a conversation and its messages come to that were read, in this order. */
export function stateFrom(conversation: Conversation, messages: readonly Message[]): ChatState {
  const written = messages.filter(({ status }) => status === "streaming");
  const keys = written.flatMap(({ message_id, parts }) => parts.map((_part, index) => `${message_id} ${index}`));
  return {
    conversation,
    messages: messages.toSorted((a, b) => a.number - b.number),
    sequence: conversation.sequence,
    busy: conversation.busy,
    halfRead: new Set(keys),
  };
}

/** The state after an event. One that is in it already changes nothing. */
export function applyEvent(state: ChatState, { id, type, data }: StreamEvent): ChatState {
  if (id <= state.sequence) return state;
  const next = { ...state, sequence: id };
  switch (type) {
    case "chat.message.created":
    case "chat.message.changed":
    case "chat.message.completed":
      return {
        ...next,
        messages: withMessage(state.messages, data.message),
        halfRead: new Set([...state.halfRead].filter((key) => !key.startsWith(data.message.message_id))),
      };
    case "chat.part.started":
    case "chat.part.completed":
      return withPart(next, data.message_id, data.index, () => data.part);
    case "chat.part.delta":
      if (state.halfRead.has(`${data.message_id} ${data.index}`)) return next;
      return withPart(next, data.message_id, data.index, (part) =>
        part?.type === "text" ? { ...part, text: part.text + data.text } : { type: "text", text: data.text },
      );
    case "chat.turn.changed":
      return { ...next, busy: data.turn.state === "running" || data.turn.state === "queued" };
    case "chat.conversation.changed":
      return { ...next, conversation: { ...state.conversation, ...data.conversation } };
    default:
      return next;
  }
}

function withMessage(messages: readonly Message[], message: Message): Message[] {
  const others = messages.filter(({ message_id }) => message_id !== message.message_id);
  return [...others, message].sort((a, b) => a.number - b.number);
}

function withPart(state: ChatState, id: string, index: number, change: (part: Part | undefined) => Part): ChatState {
  const message = state.messages.find(({ message_id }) => message_id === id);
  if (!message) return state;
  const parts = [...message.parts];
  parts[index] = change(parts[index]);
  const halfRead = new Set(state.halfRead);
  halfRead.delete(`${id} ${index}`);
  return { ...state, halfRead, messages: withMessage(state.messages, { ...message, parts }) };
}

/** Messages as they are shown: without replies that others stand in for, and without the disclosure, which stands above them. */
export const shownMessages = ({ messages }: ChatState): readonly Message[] =>
  messages.filter(
    ({ replaced_by, parts, status }) =>
      replaced_by === null && (parts.length > 0 || status !== "complete") && !parts.some(isDisclosure),
  );

const isDisclosure = (part: Part | undefined): boolean => part?.type === "notice" && part.code === "disclosure";
