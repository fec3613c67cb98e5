import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { listChannels, removeChannel } from "../../../api/chat-channels.ts";
import type { Channel } from "../../../api/chat-types.ts";
import { useChange, usePrefetched } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import { counted } from "../../../lib/words.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, Facts, PageHead } from "../../../ui/card.tsx";
import { CopyText } from "../../../ui/code.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { EmptyState, Notice } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Stopped } from "../../accountability/public.tsx";
import { EditChannel } from "./edit.tsx";
import { kinds } from "./kinds.ts";
import { WidgetSnippet } from "./snippet.tsx";

const touched = ["/v1/chat/channels"] as const;

/** Ways by which people write to agents, and whether they work. */
export function ChannelsPage() {
  const { data } = usePrefetched(listChannels(), { every: 5000 });
  const [adding, setAdding] = useState(false);
  const mayManage = useMay("chat:manage");
  useShortcuts("Channels", mayManage ? [{ keys: "n", label: "Connect a channel", run: () => setAdding(true) }] : []);
  const add = mayManage ? (
    <Button
      kind="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      shortcut="n"
      onClick={() => setAdding(true)}
    >
      Connect a channel
    </Button>
  ) : undefined;
  return (
    <>
      <PageHead
        title="Channels"
        lead="Ways by which people write to agents: a widget on a page, a mailbox, Slack."
        above={
          <Link to="/conversations" search={{}}>
            Conversations
          </Link>
        }
        actions={data.data.length === 0 ? null : add}
      />
      {data.data.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface shadow-card">
          <EmptyState title="No channels yet" action={add}>
            Without one, conversations come by the interface alone.
          </EmptyState>
        </div>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {data.data.map((channel) => (
            <ChannelCard key={channel.name} channel={channel} mayManage={mayManage} />
          ))}
        </div>
      )}
      {adding ? <EditChannel onClose={() => setAdding(false)} /> : null}
    </>
  );
}

const states: Readonly<Record<Channel["state"], readonly [word: string, tone: Tone]>> = {
  ok: ["Works", "good"],
  disabled: ["Off", "neutral"],
  failing: ["Failing", "bad"],
  stopped: ["Stopped", "bad"],
};

function ChannelCard({ channel, mayManage }: { readonly channel: Channel; readonly mayManage: boolean }) {
  const [asked, setAsked] = useState<"change" | "remove" | null>(null);
  const { name, kind, state, stopped_reason, last_error, deliveries } = channel;
  const [word, tone] = states[state];
  return (
    <Card title={name} aside={<Badge tone={tone}>{word}</Badge>}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Stopped object={`channel:${name}`} reason={stopped_reason} stale={touched} />
        {last_error === null ? null : <Notice tone="bad">{last_error}</Notice>}
        {deliveries.last_error === null ? null : (
          <Notice tone={deliveries.failed > 0 ? "bad" : "warn"}>A reply was not taken: {deliveries.last_error}</Notice>
        )}
        <Facts facts={factsOf(channel)} />
        {kind === "web" ? <WidgetSnippet channel={channel} /> : null}
        {mayManage ? (
          <div className="flex flex-wrap gap-2">
            <Button size="small" kind="primary" onClick={() => setAsked("change")}>
              Change or test…
            </Button>
            <Button size="small" onClick={() => setAsked("remove")}>
              Disconnect…
            </Button>
          </div>
        ) : null}
      </div>
      {asked === "change" ? <EditChannel channel={channel} onClose={() => setAsked(null)} /> : null}
      {asked === "remove" ? <Remove name={name} onClose={() => setAsked(null)} /> : null}
    </Card>
  );
}

function factsOf(channel: Channel): Parameters<typeof Facts>[0]["facts"] {
  const { name, kind, agent, config, events_url, last_read_at, deliveries } = channel;
  const origins = Array.isArray(config.origins) ? config.origins.map(String) : [];
  return [
    ["Kind", kinds[kind].title],
    [
      "Agent",
      <Link key="agent" to="/agents/$agent" params={{ agent }} search={{}} className="font-medium hover:underline">
        {agent}
      </Link>,
    ],
    kind === "web" && ["Pages", origins.length === 0 ? "none yet" : origins.join(", ")],
    kind === "email" && ["Address", String(config.address)],
    kind === "email" && ["Last read", <RelativeTime key="read" time={last_read_at} />],
    events_url !== null && ["Address for events", <CopyText key="events" text={events_url} label="address" />],
    kind !== "web" && [
      "Replies",
      `${counted(deliveries.waiting, "reply", "replies")} waiting, ${deliveries.failed} given up`,
    ],
    [
      "Conversations",
      <Link
        key="conversations"
        to="/conversations"
        search={{ channel: name, view: "all" }}
        className="text-accent underline underline-offset-2"
      >
        of this channel
      </Link>,
    ],
  ];
}

function Remove({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const change = useChange(removeChannel, touched);
  const submit = (): void =>
    change.mutate(name, {
      onSuccess: () => {
        toast(`${name} is disconnected.`);
        onClose();
      },
    });
  return (
    <FormDialog
      title={`Disconnect ${name}`}
      word="Disconnect"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>Nothing comes in or goes out by it any more, and its secrets are deleted. Its conversations are kept.</p>
    </FormDialog>
  );
}
