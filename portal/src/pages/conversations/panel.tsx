import { Link } from "@tanstack/react-router";
import { listParticipants } from "../../api/chat.ts";
import type { Conversation } from "../../api/chat-types.ts";
import { useLive } from "../../api/queries.ts";
import { exactly } from "../../lib/time.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { CopyText, ValueTable } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { ChangeButton } from "./change.tsx";
import { Manage } from "./manage.tsx";
import { Memories } from "./memories.tsx";
import { TakeOverPane } from "./take-over.tsx";
import { channelWord, roleWords } from "./words.ts";

/** What is known of a conversation besides its messages. */
export function Panel({ conversation }: { readonly conversation: Conversation }) {
  return (
    <>
      <TakeOverPane conversation={conversation} />
      <Card title="Conversation" aside={<ChangeButton conversation={conversation} />}>
        <Facts facts={factsOf(conversation)} />
      </Card>
      {Object.keys(conversation.context).length > 0 ? (
        <Card title="Context">
          <ValueTable value={conversation.context} label="Context" />
        </Card>
      ) : null}
      <Participants conversation={conversation} />
      <Memories conversation={conversation} />
      <Manage conversation={conversation} />
    </>
  );
}

function factsOf(conversation: Conversation): Parameters<typeof Facts>[0]["facts"] {
  const { agent, version, channel, user, language, labels, disclosure, forked_from: from } = conversation;
  return [
    [
      "Agent",
      <Link key="agent" to="/agents/$agent" params={{ agent }} search={{}} className="font-medium hover:underline">
        {agent}
      </Link>,
    ],
    ["Version", version === null ? "pinned at the next answer" : `${version.number}, pinned`],
    ["Channel", channelWord(channel)],
    ["User", user === null ? "not named" : visible(user)],
    language !== null && ["Language", language],
    labels.length > 0 && [
      "Labels",
      <span key="labels" className="flex flex-wrap gap-1">
        {labels.map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
      </span>,
    ],
    ["Disclosure", disclosure === null ? "none" : disclosed(disclosure)],
    from !== null && [
      "Begun from",
      <Link
        key="from"
        to="/conversations/$conversation"
        params={{ conversation: from.conversation_id }}
        className="text-accent underline underline-offset-2"
      >
        another conversation
      </Link>,
    ],
    ["Started", <RelativeTime key="started" time={conversation.created_at} />],
    conversation.closed_at !== null && ["Closed", exactly(conversation.closed_at)],
    conversation.erase_at !== null && ["Erased on", exactly(conversation.erase_at)],
    ["Id", <CopyText key="id" text={conversation.conversation_id} short />],
    ["Record", <CopyText key="record" text={conversation.audit_ref} label="audit reference" short />],
  ];
}

const disclosed = ({ delivered_at }: NonNullable<Conversation["disclosure"]>): string =>
  delivered_at === null ? "given with the next answer" : `delivered, ${exactly(delivered_at)}`;

function Participants({ conversation }: { readonly conversation: Conversation }) {
  const { data, error } = useLive(listParticipants(conversation.conversation_id), { every: 10_000 });
  return (
    <Card title="Participants">
      {error ? <ErrorState error={error} /> : data === undefined ? <Skeleton lines={2} /> : null}
      <ul className="grid gap-2 text-sm">
        {data?.data.map(({ kind, id, name, version, messages, active }) => (
          <li key={`${kind} ${id}`} className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium wrap-anywhere">{visible(name)}</span>
            <span className="text-muted">
              {roleWords[kind]}
              {version === null ? "" : `, version ${version}`}
              {active ? "" : ", no longer active"}
            </span>
            <span className="ml-auto text-muted">{counted(messages, "message")}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
