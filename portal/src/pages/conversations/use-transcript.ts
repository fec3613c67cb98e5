import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { earlierMessages, type Opened } from "../../api/chat.ts";
import { followConversation } from "../../api/chat-stream.ts";
import type { ChatEvent, Message } from "../../api/chat-types.ts";
import { useChange } from "../../api/queries.ts";
import { type Transcript, told, transcriptOf, withEarlier } from "./state.ts";

type Change = { readonly events: readonly ChatEvent[] } | { readonly earlier: readonly Message[] };

const changed = (transcript: Transcript, change: Change): Transcript =>
  "events" in change ? change.events.reduce(told, transcript) : withEarlier(transcript, change.earlier);

/** How far back the events of a reply begin that was being written when the conversation was opened. */
const longestReply = 2_000;

export interface Live {
  readonly transcript: Transcript;
  /** The stream is lost, and is being taken up again. */
  readonly lost: boolean;
  /** Reads the messages before the first one; null: there are none. */
  readonly onEarlier: (() => void) | null;
  readonly readingEarlier: boolean;
}

/** A conversation as it is, event by event, while the page is seen. */
export function useTranscript({ conversation, messages }: Opened): Live {
  const id = conversation.conversation_id;
  const [transcript, change] = useReducer(changed, null, () => transcriptOf(conversation, messages.data));
  const [cursor, setCursor] = useState(messages.next_cursor);
  const earlier = useChange(earlierMessages);
  const begin = useRef(
    transcript.unsure.length > 0 ? Math.max(0, conversation.sequence - longestReply) : conversation.sequence,
  );
  const onEvents = useCallback((events: readonly ChatEvent[]) => {
    begin.current = events.at(-1)?.sequence ?? begin.current;
    change({ events });
  }, []);
  const lost = useEvents(id, begin, onEvents);
  const onEarlier = (from: string) => (): void =>
    earlier.mutate(
      { conversation: id, cursor: from },
      {
        onSuccess: (page) => {
          change({ earlier: page.data });
          setCursor(page.next_cursor);
        },
      },
    );
  return { transcript, lost, onEarlier: cursor === null ? null : onEarlier(cursor), readingEarlier: earlier.isPending };
}

/** Hears events while the page is seen, a frame's worth at a time. Returns whether the stream is lost. */
function useEvents(
  id: string,
  begin: { readonly current: number },
  onEvents: (events: readonly ChatEvent[]) => void,
): boolean {
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let leave: (() => void) | undefined;
    let waiting: ChatEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pass = (): void => {
      timer = undefined;
      const events = waiting;
      waiting = [];
      if (events.length > 0) onEvents(events);
    };
    const turn = (): void => {
      leave?.();
      clearTimeout(timer);
      pass();
      leave = document.hidden ? undefined : followConversation(id, begin.current, { onEvent, onLost: setLost });
    };
    const onEvent = (event: ChatEvent): void => {
      waiting.push(event);
      timer ??= setTimeout(pass, 16);
    };
    turn();
    document.addEventListener("visibilitychange", turn);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      leave?.();
      clearTimeout(timer);
    };
  }, [id, begin, onEvents]);
  return lost;
}
