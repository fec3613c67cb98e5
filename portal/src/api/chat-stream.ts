import { type ChatEvent, chatEventTypes } from "./chat-types.ts";

/** The pause before a stream that the browser gave up is opened again, in ms. */
const pause = 3_000;

export interface Followed {
  /** Called with each event, oldest first, none twice. */
  readonly onEvent: (event: ChatEvent) => void;
  /** Called when the stream is lost (true) and when it is there again (false). */
  readonly onLost: (lost: boolean) => void;
}

/** Follows a conversation from behind an event's sequence, over as many connections as it takes, until the returned function is called. */
export function followConversation(conversation: string, after: number, { onEvent, onLost }: Followed): () => void {
  let last = after;
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = ({ type, lastEventId, data }: MessageEvent<string>): void => {
    const sequence = Number(lastEventId);
    if (!(sequence > last)) return;
    last = sequence;
    onEvent({ sequence, type, data: JSON.parse(data) } as ChatEvent);
  };
  const open = (): void => {
    stream = new EventSource(`/v1/chat/conversations/${encodeURIComponent(conversation)}/stream?after=${last}`);
    for (const type of chatEventTypes) stream.addEventListener(type, hear);
    // Nothing follows: the conversation is closed, or erased.
    stream.addEventListener("end", () => stream?.close());
    stream.addEventListener("open", () => onLost(false));
    stream.addEventListener("error", () => {
      onLost(true);
      // The browser takes up what was cut off by itself, and not what was refused.
      if (stream?.readyState === EventSource.CLOSED) timer = setTimeout(open, pause);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    stream?.close();
  };
}
