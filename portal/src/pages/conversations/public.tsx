import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { openConversation, sendMessage, startConversation, touchedConversations } from "../../api/chat.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { Composer } from "./composer.tsx";
import { Disclosure } from "./disclosure.tsx";
import { HandoffSummary } from "./handoff.tsx";
import { TranscriptView } from "./transcript.tsx";
import { useTranscript } from "./use-transcript.ts";

interface AgentChatProps {
  readonly agent: string;
  /** The conversation that goes on; undefined: the first message begins one. */
  readonly conversation: string | undefined;
  readonly onConversation: (conversation: string | undefined) => void;
}

/** A conversation with an agent, to try it. */
export function AgentChat({ agent, conversation, onConversation }: AgentChatProps) {
  if (!useMay("chat:write"))
    return (
      <EmptyState title="You may not write to agents">
        Your role lacks the permission chat:write. Ask an admin for it.
      </EmptyState>
    );
  if (conversation === undefined) return <First agent={agent} onStarted={onConversation} />;
  return <Going key={conversation} conversation={conversation} onAnew={() => onConversation(undefined)} />;
}

/** The first message, which begins the conversation. */
function First({ agent, onStarted }: { readonly agent: string; readonly onStarted: (conversation: string) => void }) {
  const change = useChange(async (text: string) => {
    const { conversation_id: conversation } = await startConversation({ agent, labels: ["try-it"] });
    await sendMessage({ conversation, text });
    return conversation;
  }, touchedConversations);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text")).trim();
    if (text !== "") change.mutate(text, { onSuccess: onStarted });
  };
  return (
    <Card title={`A new conversation with ${agent}`}>
      <form onSubmit={submit} className="grid gap-3">
        <TextArea
          name="text"
          label="Message"
          hint="Answered by the version that is live here, with its tools, policies and budgets. What it writes waits for approval."
          rows={3}
          maxLength={32_000}
          required
        />
        {change.error ? <ErrorState error={change.error} /> : null}
        <div>
          <Button kind="primary" type="submit" busy={change.isPending}>
            Send
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Going({ conversation, onAnew }: { readonly conversation: string; readonly onAnew: () => void }) {
  const { data, error } = useLive(openConversation(conversation));
  if (data) return <Shown opened={data} onAnew={onAnew} />;
  if (error)
    return (
      <div className="grid justify-items-start gap-3">
        <ErrorState error={error} />
        <Button onClick={onAnew}>New conversation</Button>
      </div>
    );
  return <Skeleton lines={6} />;
}

function Shown({
  opened,
  onAnew,
}: {
  readonly opened: Parameters<typeof useTranscript>[0];
  readonly onAnew: () => void;
}) {
  const live = useTranscript(opened);
  const { conversation, messages } = live.transcript;
  return (
    <div className="flex h-[calc(100dvh-19rem)] min-h-120 flex-col gap-3 max-lg:min-h-96">
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Link
          to="/conversations/$conversation"
          params={{ conversation: conversation.conversation_id }}
          className="mr-auto text-sm font-medium text-accent underline underline-offset-2"
        >
          Open on its own page
        </Link>
        <Button size="small" onClick={onAnew}>
          New conversation
        </Button>
      </div>
      <HandoffSummary conversation={conversation} />
      <div className="flex min-h-0 flex-1 flex-col rounded-lg border border-line bg-surface shadow-card">
        <TranscriptView live={live} className="min-h-0 flex-1 overflow-y-auto p-4 sm:p-5">
          <Disclosure conversation={conversation} />
        </TranscriptView>
        {conversation.state === "closed" ? (
          <p className="border-t border-line px-4 py-3 text-sm text-muted">This conversation is closed.</p>
        ) : (
          <Composer conversation={conversation} as="user" latest={messages.at(-1)} />
        )}
      </div>
    </div>
  );
}
