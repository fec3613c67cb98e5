import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Bot, Cog, Headset, UserRound } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Message } from "../../api/chat-types.ts";
import { percent, visible } from "../../lib/words.ts";
import { Badge, tones } from "../../ui/badge.tsx";
import { CopyText } from "../../ui/code.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { Parts } from "./parts.tsx";
import { messageStanding, roleWords } from "./words.ts";

const looks = {
  user: [UserRound, tones.neutral],
  agent: [Bot, tones.accent],
  person: [Headset, tones.info],
  system: [Cog, tones.neutral],
} as const;

interface MessageProps {
  readonly message: Message;
  /** What can be done with it. */
  readonly actions?: ReactNode;
}

/** A message with who wrote it, what it consists of, and how far it can be trusted. */
export function MessageView({ message, actions }: MessageProps) {
  if (message.role === "system" && message.covers === null) return <Told message={message} />;
  const [Icon, look] = looks[message.role];
  return (
    <li data-message={message.message_id} className="group grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3">
      <span aria-hidden="true" className={clsx("flex size-7 items-center justify-center rounded-full border", look)}>
        <Icon className="size-4" />
      </span>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
        <Head message={message} />
        <Content message={message} />
        <Foot message={message} actions={actions} />
      </div>
    </li>
  );
}

/** What the service says of the conversation, in a line. */
function Told({ message }: { readonly message: Message }) {
  const text = message.parts.flatMap((part) => (part?.type === "notice" || part?.type === "text" ? [part.text] : []));
  return (
    <li data-message={message.message_id} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3 text-sm text-muted">
      <Cog className="mx-auto mt-0.5 size-4" aria-hidden="true" />
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="wrap-anywhere whitespace-pre-wrap">{visible(text.join("\n"))}</span>
        {message.generated ? <Badge tone="info">generated</Badge> : null}
        <RelativeTime time={message.created_at} className="ml-auto text-xs" />
      </p>
    </li>
  );
}

const Head = memo(function Head({ message }: { readonly message: Message }) {
  const { author, role, covers, generated, imported, created_at } = message;
  const standing = messageStanding(message);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span className="font-semibold wrap-anywhere">{visible(author.name)}</span>
      <span className="text-muted">{roleWords[role]}</span>
      {covers ? (
        <Badge tone="info">
          summary of {covers.from}–{covers.to}
        </Badge>
      ) : null}
      {/* Of an agent it goes without saying. */}
      {generated && role !== "agent" ? <Badge tone="info">generated</Badge> : null}
      {imported ? <Badge title="The caller brought it along; it was not written here.">imported</Badge> : null}
      {standing ? <Badge tone={standing[1]}>{standing[0]}</Badge> : null}
      <RelativeTime time={created_at} className="ml-auto text-xs text-muted" />
    </p>
  );
});

function Content({ message }: { readonly message: Message }) {
  if (message.status === "retracted")
    return <p className="text-sm text-muted italic">This message was retracted. Its text is no longer kept.</p>;
  if (message.replaced_by !== null)
    return (
      <details className="text-sm">
        <summary className="w-fit rounded py-0.5 text-muted hover:text-ink">Replaced by a later answer</summary>
        <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2 opacity-80">
          <Parts message={message} />
        </div>
      </details>
    );
  return (
    <>
      <Parts message={message} />
      {message.status === "streaming" ? <Writing /> : null}
    </>
  );
}

export function Writing() {
  return (
    <span role="img" aria-label="Being written" className="flex h-4 items-center gap-1 text-accent">
      {[0, 1, 2].map((dot) => (
        <span key={dot} className="size-1.5 animate-pulse rounded-full bg-current" />
      ))}
    </span>
  );
}

function Foot({ message, actions }: MessageProps) {
  const { trust_score: trust, task_id: task, audit_ref, role, status } = message;
  if (status === "streaming") return null;
  const shown = role === "agent" && status !== "retracted";
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
      {shown && trust !== null ? (
        <span className={trust >= 0.75 ? "text-good" : trust >= 0.45 ? "text-warn" : "text-bad"}>
          trust {percent(trust)}
        </span>
      ) : null}
      {shown && task !== null ? (
        <Link to="/tasks/$task" params={{ task }} className="underline underline-offset-2 hover:text-ink">
          Task and proof
        </Link>
      ) : null}
      <details className="[&[open]]:basis-full">
        <summary className="w-fit rounded hover:text-ink">Record</summary>
        <CopyText text={audit_ref} label="audit reference" />
      </details>
      {actions ? (
        // Of what agents say in sight; of the rest, once it is pointed at or reached by keyboard.
        <span
          className={clsx(
            "ml-auto flex gap-0.5 transition-opacity",
            role !== "agent" && "pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100",
          )}
        >
          {actions}
        </span>
      ) : null}
    </div>
  );
}
