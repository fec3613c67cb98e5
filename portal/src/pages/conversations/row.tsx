import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import type { Conversation } from "../../api/chat-types.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { HeldLine } from "../../ui/held.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { channelWord, isWaiting, standingOf, titleOf } from "./words.ts";

interface RowProps {
  readonly conversation: Conversation;
  /** Messages that this browser has not shown; null: it never showed the conversation. */
  readonly unseen: number | null;
}

/** A conversation in a list: what it is about, who is in it, how it stands. */
export function ConversationRow({ conversation, unseen }: RowProps) {
  const { conversation_id, agent, user, channel, labels, handoff, messages, last_message_at, created_at } =
    conversation;
  const { held_by } = conversation;
  const waits = isWaiting(conversation);
  const [word, tone] = standingOf(conversation);
  const fresh = unseen === null ? waits : unseen > 0;
  return (
    <li className="relative hover:bg-sunken">
      {waits ? <span aria-hidden="true" className="absolute inset-y-0 left-0 w-1 bg-signal" /> : null}
      <Link
        to="/conversations/$conversation"
        params={{ conversation: conversation_id }}
        className="grid gap-1.5 px-4 py-3.5 sm:px-5"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className={clsx("min-w-0 wrap-anywhere", fresh ? "font-semibold" : "font-medium")}>
            {fresh ? <span aria-hidden="true" className="mr-2 inline-block size-2 rounded-full bg-accent" /> : null}
            {visible(titleOf(conversation))}
          </span>
          <RelativeTime time={last_message_at ?? created_at} className="shrink-0 text-xs text-muted" />
        </span>
        {waits ? null : <HeldLine held={held_by} />}
        {waits && handoff ? <span className="line-clamp-2 text-sm text-muted">{visible(handoff.reason)}</span> : null}
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <Badge tone={tone}>
            {word}
            {waits && handoff ? (
              <>
                , <RelativeTime time={handoff.requested_at} />
              </>
            ) : null}
          </Badge>
          <span>
            {[agent, user === null ? null : visible(user), channelWord(channel), counted(messages, "message")]
              .filter((text) => text !== null)
              .join(" · ")}
          </span>
          {unseen !== null && unseen > 0 ? <Badge tone="accent">{unseen} new</Badge> : null}
          {labels.map((label) => (
            <Badge key={label}>{visible(label)}</Badge>
          ))}
        </span>
      </Link>
    </li>
  );
}
