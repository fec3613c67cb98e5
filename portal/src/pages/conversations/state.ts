import type { ChatEvent, Conversation, Message, Part, Turn } from "../../api/chat-types.ts";

/** What is known of a conversation: read once, then kept in step by its events. */
export interface Transcript {
  readonly conversation: Conversation;
  /** By number, oldest first. */
  readonly messages: readonly Message[];
  readonly turns: Readonly<Record<string, Turn>>;
  /** Messages that were being written when they were read: how much of their text is in which events is not known, so deltas to them wait until an event has all of it. */
  readonly unsure: readonly string[];
}

export const transcriptOf = (conversation: Conversation, messages: readonly Message[]): Transcript => ({
  conversation,
  messages: [...messages].sort((a, b) => a.number - b.number),
  turns: {},
  unsure: messages.filter(({ status }) => status === "streaming").map(({ message_id }) => message_id),
});

/** The same with earlier messages, which no event brought. */
export const withEarlier = (transcript: Transcript, earlier: readonly Message[]): Transcript => ({
  ...transcript,
  messages: earlier.reduce(
    (all, message) => (all.some(isSame(message)) ? all : put(all, message)),
    transcript.messages,
  ),
});

/** What an event makes of it. */
export function told(transcript: Transcript, event: ChatEvent): Transcript {
  const { data, type } = event;
  switch (type) {
    case "chat.message.created":
    case "chat.message.completed":
    case "chat.message.changed":
      return {
        ...transcript,
        messages: put(transcript.messages, data.message),
        unsure: transcript.unsure.filter((id) => id !== data.message.message_id),
      };
    case "chat.part.started":
    case "chat.part.completed":
      return { ...transcript, messages: withPart(transcript.messages, data, () => data.part) };
    case "chat.part.delta":
      if (transcript.unsure.includes(data.message_id)) return transcript;
      return { ...transcript, messages: withPart(transcript.messages, data, (part) => longer(part, data.text)) };
    case "chat.turn.changed":
      return withTurn(transcript, data.turn);
    case "chat.conversation.changed":
      return { ...transcript, conversation: { ...transcript.conversation, ...data.conversation } };
    default:
      return transcript;
  }
}

function withTurn({ conversation, turns, ...rest }: Transcript, turn: Turn): Transcript {
  const waited = turns[turn.turn_id]?.state === "queued";
  const busy = turn.state === "running" || ((turn.state === "queued" || waited) && conversation.busy);
  return { ...rest, turns: { ...turns, [turn.turn_id]: turn }, conversation: { ...conversation, busy } };
}

const isSame =
  ({ message_id }: Message) =>
  (other: Message): boolean =>
    other.message_id === message_id;

function put(messages: readonly Message[], message: Message): readonly Message[] {
  const at = messages.findIndex(isSame(message));
  if (at >= 0) return messages.with(at, message);
  const before = messages.findLastIndex(({ number }) => number < message.number);
  return messages.toSpliced(before + 1, 0, message);
}

interface Place {
  readonly message_id: string;
  readonly index: number;
}

function withPart(
  messages: readonly Message[],
  { message_id, index }: Place,
  make: (part?: Part) => Part,
): readonly Message[] {
  return messages.map((message) => {
    if (message.message_id !== message_id) return message;
    const parts = [...message.parts];
    parts[index] = make(parts[index]);
    return { ...message, parts };
  });
}

const longer = (part: Part | undefined, text: string): Part =>
  part?.type === "text" ? { type: "text", text: part.text + text } : { type: "text", text };
