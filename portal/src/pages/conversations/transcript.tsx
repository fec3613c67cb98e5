import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Message } from "../../api/chat-types.ts";
import { Button } from "../../ui/button.tsx";
import { MessageView, Writing } from "./message.tsx";
import { MessageActions } from "./message-actions.tsx";
import type { Live } from "./use-transcript.ts";

interface Props {
  readonly live: Live;
  readonly className?: string;
  /** Shown before the first message. */
  readonly children?: ReactNode;
}

/** How near to its end a transcript is followed, in pixels. */
const near = 120;

/** All messages, the latest in sight as long as nobody scrolls up. */
export function TranscriptView({ live, className, children }: Props) {
  const { transcript, onEarlier, readingEarlier } = live;
  const { messages, conversation } = transcript;
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changed may have made it longer
  useLayoutEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [messages, conversation.busy]);
  const written = messages.at(-1)?.status === "streaming";
  const keepsReply = conversation.busy || conversation.state === "closed";
  const lastReply = keepsReply ? undefined : messages.findLast(({ role }) => role === "agent")?.message_id;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a region that scrolls, and so is reached by keyboard */}
      <div
        ref={box}
        role="region"
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < near;
        }}
        className={className}
      >
        {onEarlier ? (
          <div className="mb-4 text-center">
            <Button size="small" busy={readingEarlier} onClick={onEarlier}>
              Earlier messages
            </Button>
          </div>
        ) : null}
        {children}
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {messages.map((message) => (
            <MessageView
              key={message.message_id}
              message={message}
              actions={<MessageActions message={message} latest={message.message_id === lastReply} />}
            />
          ))}
        </ol>
        {conversation.busy && !written ? (
          <div className="mt-5 ml-10">
            <Writing />
          </div>
        ) : null}
      </div>
      <Announced messages={messages} />
    </>
  );
}

/** Says to those who do not see that a message is there once it is whole. */
function Announced({ messages }: { readonly messages: readonly Message[] }) {
  const last = messages.findLast(({ status }) => status !== "streaming" && status !== "queued");
  const known = useRef(last?.message_id);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (last === undefined || known.current === last.message_id) return;
    known.current = last.message_id;
    const text = last.parts.flatMap((part) => (part?.type === "text" ? [part.text] : [])).join(" ");
    setSaid(`${last.author.name}: ${text.slice(0, 500)}`);
  }, [last]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
