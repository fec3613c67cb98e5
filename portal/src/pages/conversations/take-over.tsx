import { useRef } from "react";
import { touchedConversations } from "../../api/chat.ts";
import { addNote, assign, readHandoff } from "../../api/chat-people.ts";
import type { Conversation } from "../../api/chat-types.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

const causes: Readonly<Record<NonNullable<Conversation["handoff"]>["cause"], string>> = {
  asked: "the user asked for a person",
  unsure: "the agent was unsure",
  topic: "a topic",
  sentiment: "the user sounds upset",
  value: "an amount",
  limits: "the agent reached a limit",
  agent: "the agent asked",
  caller: "somebody asked",
};

/** For the people who answer: where the conversation waits, and their private notes. */
export function TakeOverPane({ conversation }: { readonly conversation: Conversation }) {
  const mayAnswer = useMay("chat:answer");
  return mayAnswer ? <Pane conversation={conversation} /> : null;
}

function Pane({ conversation }: { readonly conversation: Conversation }) {
  const id = conversation.conversation_id;
  const { data, error } = useLive(readHandoff(id), { every: 10_000 });
  const { handoff } = conversation;
  return (
    <>
      {handoff?.team ? (
        <Card title="Queue">
          <Facts facts={queueFacts(handoff)} />
          <Release conversation={conversation} />
        </Card>
      ) : null}
      <Card title="Private notes">
        {error ? <ErrorState error={error} /> : null}
        <ul aria-label="Private notes" className="grid gap-3 text-sm">
          {data?.notes.map(({ note_id, author, text, created_at }) => (
            <li key={note_id} className="grid gap-0.5">
              <span className="text-muted">
                {visible(author.name)}, <RelativeTime time={created_at} />
              </span>
              <span className="wrap-anywhere whitespace-pre-wrap">{visible(text)}</span>
            </li>
          ))}
        </ul>
        <NoteForm conversation={id} />
      </Card>
    </>
  );
}

const queueFacts = (handoff: NonNullable<Conversation["handoff"]>): Parameters<typeof Facts>[0]["facts"] => [
  ["Team", visible(handoff.team_title ?? "")],
  ["Why", causes[handoff.cause]],
  ["Since", <RelativeTime key="since" time={handoff.requested_at} />],
  handoff.position !== null && ["Place", String(handoff.position)],
  handoff.opens_at !== null && ["Opens", <RelativeTime key="opens" time={handoff.opens_at} />],
];

function Release({ conversation }: { readonly conversation: Conversation }) {
  const change = useChange(assign, touchedConversations);
  const { handler, handoff, state } = conversation;
  if (state === "closed" || (handler.kind !== "person" && handoff?.member === null)) return null;
  return (
    <div className="mt-3">
      <Button
        size="small"
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { conversation: conversation.conversation_id, member: null },
            { onSuccess: () => toast("It waits in the queue again."), onError: toastProblem },
          )
        }
      >
        Release to the queue
      </Button>
    </div>
  );
}

function NoteForm({ conversation }: { readonly conversation: string }) {
  const form = useRef<HTMLFormElement>(null);
  const change = useChange(addNote, ["/v1/chat/conversations/{conversation}/handoff"]);
  return (
    <form
      ref={form}
      className="mt-3 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const text = String(new FormData(event.currentTarget).get("note")).trim();
        if (text !== "") change.mutate({ conversation, text }, { onSuccess: () => form.current?.reset() });
      }}
    >
      <TextArea
        name="note"
        label="New note"
        hint="The user never sees it, and no model does."
        rows={2}
        maxLength={4000}
      />
      {change.error ? <ErrorState error={change.error} /> : null}
      <div>
        <Button size="small" type="submit" busy={change.isPending}>
          Add note
        </Button>
      </div>
    </form>
  );
}

interface SavedProps {
  readonly conversation: string;
  readonly onInsert: (draft: string) => void;
}

/** Saved replies of the team, filled in; a choice puts one into the field. */
export function SavedReplies({ conversation, onInsert }: SavedProps) {
  const { data } = useLive(readHandoff(conversation), { every: 10_000 });
  const replies = data?.saved_replies ?? [];
  if (replies.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">Saved replies</span>
      {replies.map(({ name, title, text }) => (
        <Button key={`${name} ${text}`} size="small" kind="quiet" onClick={() => onInsert(text)}>
          {visible(title)}
        </Button>
      ))}
    </div>
  );
}
