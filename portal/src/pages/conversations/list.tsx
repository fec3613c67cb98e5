import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus, Search, Settings2, Users } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../api/chat-types.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { when } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState, NothingFits } from "../../ui/states.tsx";
import { Filters } from "./filters.tsx";
import { conversationsOf, waitingOf } from "./loaders.ts";
import { Queues } from "./queues.tsx";
import { ConversationRow } from "./row.tsx";
import type { ListSearch } from "./search.ts";
import { unseenIn } from "./seen.ts";
import { StartConversation } from "./start.tsx";

const route = getRouteApi("/shell/conversations");

/** All conversations as they go on; those that wait for a person come first, the longest wait at the top. */
export function ConversationsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(conversationsOf(search), { every: 3000 });
  const { data: waiting } = usePrefetched(waitingOf(search), { every: 3000 });
  const [starting, setStarting] = useState(false);
  const mayWrite = useMay("chat:write");
  useShortcuts(
    "Conversations",
    mayWrite ? [{ keys: "n", label: "New conversation", run: () => setStarting(true) }] : [],
  );
  const first = search.cursor === undefined && search.view !== "closed" ? waiting.data.toSorted(byWait) : [];
  const shown = new Set(first.map(({ conversation_id }) => conversation_id));
  const rows = data.data.filter(({ conversation_id }) => !shown.has(conversation_id));
  return (
    <>
      <PageHead
        title="Conversations"
        lead={waiting.data.length === 0 ? "Nobody waits for a person." : waitText(waiting)}
        actions={<Actions onStart={mayWrite ? () => setStarting(true) : null} />}
      />
      <Filters search={search} />
      <Handovers search={search} />
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        {search.handover ? null : <Queues current={search.team} />}
        {first.length > 0 ? (
          <Card title="Waiting for a person" flush>
            <Rows label="Waiting for a person" rows={first} />
          </Card>
        ) : null}
        <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
          {rows.length === 0 ? (
            <Nothing search={search} others={first.length} />
          ) : (
            <Rows label="Conversations" rows={rows} />
          )}
          <Pagination
            cursor={search.cursor}
            next={data.next_cursor}
            onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
          />
        </div>
      </div>
      {starting ? <StartConversation onClose={() => setStarting(false)} /> : null}
    </>
  );
}

const byWait = (a: Conversation, b: Conversation): number =>
  Date.parse(a.handoff?.requested_at ?? a.updated_at) - Date.parse(b.handoff?.requested_at ?? b.updated_at);
const waitText = ({ data, has_more }: { readonly data: readonly Conversation[]; readonly has_more: boolean }): string =>
  `${counted(data.length, "conversation")}${has_more ? " and more" : ""} ${data.length === 1 ? "waits" : "wait"} for a person.`;

function Actions({ onStart }: { readonly onStart: (() => void) | null }) {
  const mayRead = useMay("chat:read");
  const maySeeTeams = useMay("admin:read");
  return (
    <>
      {mayRead ? (
        <Link to="/conversations/search" search={{}} className={buttonClass()}>
          <Search className="size-4" aria-hidden="true" /> Search
        </Link>
      ) : null}
      <Link to="/conversations/channels" className={buttonClass()}>
        <Settings2 className="size-4" aria-hidden="true" /> Channels
      </Link>
      {maySeeTeams ? (
        <Link to="/conversations/teams" className={buttonClass()}>
          <Users className="size-4" aria-hidden="true" /> Teams
        </Link>
      ) : null}
      {onStart ? (
        <Button kind="primary" icon={<Plus className="size-4" aria-hidden="true" />} shortcut="n" onClick={onStart}>
          New conversation
        </Button>
      ) : null}
    </>
  );
}

function Rows({ label, rows }: { readonly label: string; readonly rows: readonly Conversation[] }) {
  const unseen = unseenIn();
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map((conversation) => (
        <ConversationRow key={conversation.conversation_id} conversation={conversation} unseen={unseen(conversation)} />
      ))}
    </ul>
  );
}

const handoverWords: Readonly<Record<NonNullable<ListSearch["handover"]>, string>> = {
  any: "handed to people",
  taken: "taken over by a person",
  answered: "answered by a person",
  waiting: "that wait for a person",
  breached: "that exceeded a service level",
};

/** Says of a list that a figure of service levels leads to what it is, and leads back to all. */
function Handovers({ search }: { readonly search: ListSearch }) {
  const { handover, handover_team: team, handover_after: after, handover_before: before } = search;
  if (handover === undefined) return null;
  return (
    <p className="mt-3 text-sm">
      Conversations {handoverWords[handover]}
      {team === undefined ? "" : team === "-" ? ", without a team" : `, for the team ${team}`}
      {after === undefined ? "" : `, asked from ${when(after)}`}
      {before === undefined ? "" : ` to ${when(before)}`}.{" "}
      <Link to="/conversations" search={{}} className="text-accent underline underline-offset-2">
        All open conversations
      </Link>
    </p>
  );
}

const call = `curl -sS ${location.origin}/v1/chat/conversations \\
  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" \\
  -d '{"agent": "support", "user": "customer-4711"}'`;

function Nothing({ search, others }: { readonly search: ListSearch; readonly others: number }) {
  const { view, agent, user, channel, label, team, handover, cursor } = search;
  if (others > 0) return <p className="px-5 py-6 text-sm text-muted">No other conversations.</p>;
  if (view ?? agent ?? user ?? channel ?? label ?? team ?? handover ?? cursor)
    return (
      <NothingFits title="No matching conversations">
        <Link to="/conversations" search={{}}>
          All open conversations
        </Link>
      </NothingFits>
    );
  return (
    <EmptyState title="No open conversations" command={call}>
      A conversation is between a person and an agent: by the widget, by e-mail, or by a call. Start one here, or with
      this call:
    </EmptyState>
  );
}
