import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { openConversation } from "../../api/chat.ts";
import type { Conversation } from "../../api/chat-types.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { useDocumentTitle } from "../../ui/document-title.ts";
import { HeldNotice } from "../../ui/held.tsx";
import { useMedia } from "../../ui/media.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { Composer } from "./composer.tsx";
import { Disclosure } from "./disclosure.tsx";
import { HandoffActions, HandoffSummary, useIsMine } from "./handoff.tsx";
import { Panel } from "./panel.tsx";
import { noteSeen } from "./seen.ts";
import { TranscriptView } from "./transcript.tsx";
import { type Live, useTranscript } from "./use-transcript.ts";
import { channelWord, isWaiting, standingOf, titleOf } from "./words.ts";

const route = getRouteApi("/shell/conversations/$conversation");

/** One conversation, live. */
export function ConversationPage() {
  const { conversation: id } = route.useParams();
  // Another conversation is another page: nothing of the one before is kept.
  return <Opened key={id} id={id} />;
}

function Opened({ id }: { readonly id: string }) {
  const { data } = usePrefetched(openConversation(id));
  const live = useTranscript(data);
  const { conversation } = live.transcript;
  const [word, tone] = standingOf(conversation);
  const wide = useMedia("(min-width: 64rem)");
  useDocumentTitle(`${titleOf(conversation)}: ${word}`);
  useEffect(() => noteSeen(id, conversation.messages), [id, conversation.messages]);
  const messages = <Messages live={live} />;
  return (
    <>
      <PageHead
        title={<span className="line-clamp-2 text-xl sm:text-2xl">{visible(titleOf(conversation))}</span>}
        lead={<Lead conversation={conversation} />}
        above={
          <>
            <Link to="/conversations" search={{}}>
              Conversations
            </Link>
            <Badge tone={tone}>{word}</Badge>
            {live.lost ? <Badge tone="warn">the live view is being taken up again</Badge> : null}
          </>
        }
        actions={<HandoffActions conversation={conversation} />}
      />
      {wide ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          {messages}
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
            <Panel conversation={conversation} />
          </div>
        </div>
      ) : (
        <Narrow conversation={conversation} messages={messages} />
      )}
    </>
  );
}

function Lead({ conversation: { agent, user, channel } }: { readonly conversation: Conversation }) {
  return (
    <span className="text-sm">
      {[agent, user === null ? "user not named" : visible(user), channelWord(channel)].join(" · ")}
    </span>
  );
}

/** On a phone, messages or what else is known. */
function Narrow({
  conversation,
  messages,
}: {
  readonly conversation: Conversation;
  readonly messages: React.ReactNode;
}) {
  const [tab, setTab] = useState("messages");
  return (
    <Tabs
      label="Conversation sections"
      current={tab}
      onChange={setTab}
      tabs={[
        { id: "messages", title: "Messages", content: () => messages },
        {
          id: "details",
          title: "Details",
          content: () => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <Panel conversation={conversation} />
            </div>
          ),
        },
      ]}
    />
  );
}

function Messages({ live }: { readonly live: Live }) {
  const { conversation, messages } = live.transcript;
  return (
    <div className="flex h-[calc(100dvh-15rem)] min-h-120 flex-col gap-3 max-lg:h-[calc(100dvh-23.5rem)] max-lg:min-h-96">
      {isWaiting(conversation) ? null : <HeldNotice held={conversation.held_by} />}
      <HandoffSummary conversation={conversation} />
      <div className="flex min-h-0 flex-1 flex-col rounded-lg border border-line bg-surface shadow-card">
        <TranscriptView live={live} className="min-h-0 flex-1 overflow-y-auto p-4 sm:p-5">
          <Disclosure conversation={conversation} />
        </TranscriptView>
        <Write conversation={conversation} latest={messages.at(-1)} />
      </div>
    </div>
  );
}

/** Who may write, and as whom. */
function Write({ conversation, latest }: Pick<Parameters<typeof Composer>[0], "conversation" | "latest">) {
  const [asUser, setAsUser] = useState(conversation.channel === "api");
  const mine = useIsMine(conversation);
  const mayWrite = useMay("chat:write");
  const { state, handler, user } = conversation;
  if (state === "closed") return <Said>This conversation is closed.</Said>;
  if (mine) return <Composer conversation={conversation} as="person" />;
  if (!mayWrite) return <Said>Your role lacks the permission chat:write, which writing takes.</Said>;
  if (handler.kind === "person") return <Said>{visible(handler.name)} answers. The agent does not meanwhile.</Said>;
  if (isWaiting(conversation) && conversation.handoff?.team)
    return <Said>{visible(conversation.handoff.team_title ?? "")} is asked to answer. Take over to write.</Said>;
  if (asUser) return <Composer conversation={conversation} as="user" latest={latest} />;
  return (
    <Said>
      The agent answers. Take over to answer yourself.{" "}
      <Button size="small" kind="quiet" onClick={() => setAsUser(true)}>
        Write as {user === null ? "the user" : visible(user)}
      </Button>
    </Said>
  );
}

const Said = ({ children }: { readonly children: React.ReactNode }) => (
  <p className="border-t border-line px-4 py-3 text-sm text-muted">{children}</p>
);
