import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { changeWebhook, type Delivery, readWebhook, recoverWebhook, type Webhook } from "../../api/webhooks.ts";
import { exactly } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Facts, PageHead } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Chips } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, NothingFits, Notice } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { Stopped } from "../accountability/public.tsx";
import { DeliveryBadge, DeliveryDialog } from "./delivery.tsx";
import { disabledFor, WebhookState } from "./list.tsx";
import { deliveriesOf } from "./loaders.ts";
import { RemoveWebhook, RotateSecret, SendTest } from "./more.tsx";
import { answerText } from "./words.ts";

const route = getRouteApi("/shell/webhooks/$webhook");
const states = [
  ["pending", "Waiting"],
  ["delivered", "Delivered"],
  ["failed", "Given up"],
] as const;
const touched = ["/v1/webhooks", "/v1/webhooks/{webhook}", "/v1/webhooks/{webhook}/deliveries"] as const;

/** One endpoint: how it does, what was sent to it, and what can be done about it. */
export function WebhookPage() {
  const { webhook: id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: webhook } = usePrefetched(readWebhook(id), { every: 4000, untold: true });
  const { data: deliveries } = usePrefetched(deliveriesOf(id, search), { every: 4000, untold: true });
  const mayWrite = useMay("webhooks:write");
  const open = (delivery: string | undefined): void =>
    void navigate({ search: { ...search, delivery }, resetScroll: false });
  return (
    <>
      <PageHead
        title={<span className="break-all">{webhook.url}</span>}
        lead={webhook.description || undefined}
        above={<Link to="/webhooks">Webhooks</Link>}
        actions={mayWrite ? <Actions webhook={webhook} /> : null}
      />
      <div className="grid gap-4">
        <Trouble webhook={webhook} mayWrite={mayWrite} />
        <Card title="The endpoint" aside={<WebhookState webhook={webhook} />}>
          <Facts facts={factsOf(webhook)} />
        </Card>
        <Card title="Deliveries" flush>
          <div className="border-b border-line px-4 py-3 sm:px-5">
            <Chips
              label="Filter deliveries"
              options={states}
              chosen={search.state ? [search.state] : []}
              onChange={(next) =>
                void navigate({ search: { state: states.find(([word]) => next.at(-1) === word)?.[0] } })
              }
            />
          </div>
          {deliveries.data.length === 0 ? (
            <Nothing webhook={id} filtered={search.state !== undefined || search.cursor !== undefined} />
          ) : (
            <Table
              label="Deliveries"
              columns={columnsOf(open)}
              rows={deliveries.data}
              rowKey={({ delivery_id }) => delivery_id}
            />
          )}
          <Pagination
            cursor={search.cursor}
            next={deliveries.next_cursor}
            onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
          />
        </Card>
      </div>
      <DeliveryDialog webhook={id} delivery={search.delivery} onClose={() => open(undefined)} />
    </>
  );
}

function Nothing({ webhook, filtered }: { readonly webhook: string; readonly filtered: boolean }) {
  if (filtered)
    return (
      <NothingFits title="No matching deliveries">
        <Link to="/webhooks/$webhook" params={{ webhook }} search={{}}>
          All deliveries
        </Link>
      </NothingFits>
    );
  return (
    <EmptyState title="No deliveries yet">
      Deliveries appear here with every attempt once a subscribed event happens.
    </EmptyState>
  );
}

const factsOf = (webhook: Webhook): Parameters<typeof Facts>[0]["facts"] => [
  ["Id", <CopyText key="id" text={webhook.webhook_id} />],
  [
    "Events",
    <span key="events" className="flex flex-wrap gap-1">
      {webhook.events.map((event) => (
        <Badge key={event}>{event}</Badge>
      ))}
    </span>,
  ],
  webhook.withheld.length > 0 && ["Withheld", webhook.withheld.join(", ")],
  webhook.agents && ["Agents", webhook.agents.join(", ")],
  webhook.risks && ["Risks", webhook.risks.join(", ")],
  ["Format", webhook.format],
  webhook.rate_per_second !== null && ["Rate limit", `${webhook.rate_per_second} a second`],
  ["Last delivered", <RelativeTime key="success" time={webhook.health.last_success_at} />],
  webhook.health.pending > 0 && ["Waiting", counted(webhook.health.pending, "delivery", "deliveries")],
  webhook.health.next_attempt_at !== null && [
    "Next attempt",
    <RelativeTime key="next" time={webhook.health.next_attempt_at} />,
  ],
  webhook.secret_overlap_until !== null && ["Earlier secrets valid until", exactly(webhook.secret_overlap_until)],
];

/** What has to be seen: that it is disabled, failing, or has missed something; and the way out. */
function Trouble({ webhook, mayWrite }: { readonly webhook: Webhook; readonly mayWrite: boolean }) {
  const recover = useChange(recoverWebhook, touched);
  const again = async (): Promise<void> => {
    await recover.mutateAsync({ webhook: webhook.webhook_id, since: null });
    toast("Sending missed events.");
  };
  const { health, missed_since, recovering, disabled_reason, stopped_reason } = webhook;
  return (
    <>
      <Stopped object={`webhook:${webhook.webhook_id}`} reason={stopped_reason} stale={touched} />
      {disabled_reason && disabled_reason !== "stopped" ? (
        <Notice tone="bad">This endpoint is {disabledFor[disabled_reason]}. Enable it again when it is mended.</Notice>
      ) : null}
      {health.failing_since && health.last_failure ? (
        <Notice tone="bad">
          Failing since <RelativeTime time={health.failing_since} />: it {answerText(health.last_failure)}
          {health.pending > 0 ? `, and ${counted(health.pending, "delivery waits", "deliveries wait")}` : ""}.
          {stopped_reason === null ? " Deliveries are retried at growing intervals for three days." : ""}
        </Notice>
      ) : null}
      {recovering ? <Notice live>Earlier events are looked through for what was missed.</Notice> : null}
      {missed_since && !recovering ? (
        <Notice tone="warn">
          <span className="flex flex-wrap items-center justify-between gap-3">
            <span>
              Events since <RelativeTime time={missed_since} /> may not have been sent. They are kept.
            </span>
            {mayWrite ? (
              <Button
                size="small"
                busy={recover.isPending}
                disabled={webhook.state !== "enabled"}
                onClick={() => void again().catch(toastProblem)}
              >
                Resend missed events
              </Button>
            ) : null}
          </span>
        </Notice>
      ) : null}
    </>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const navigate = useNavigate();
  const change = useChange(changeWebhook, touched);
  const [open, setOpen] = useState<"test" | "rotate" | "remove" | null>(null);
  const next = webhook.state === "enabled" ? "paused" : "enabled";
  return (
    <>
      <Button onClick={() => setOpen("test")}>Send a test</Button>
      {webhook.stopped_reason === null ? (
        <Button
          busy={change.isPending}
          onClick={() => change.mutate({ webhook: webhook.webhook_id, state: next }, { onError: toastProblem })}
        >
          {next === "paused" ? "Pause" : "Enable"}
        </Button>
      ) : null}
      <Button onClick={() => setOpen("rotate")}>New secret</Button>
      <Button onClick={() => setOpen("remove")}>Remove</Button>
      <SendTest webhook={webhook.webhook_id} open={open === "test"} onClose={() => setOpen(null)} />
      <RemoveWebhook
        webhook={webhook}
        open={open === "remove"}
        onClose={() => setOpen(null)}
        onRemoved={() => void navigate({ to: "/webhooks" })}
      />
      {open === "rotate" ? <RotateSecret webhook={webhook.webhook_id} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

const columnsOf = (open: (delivery: string) => void): readonly Column<Delivery>[] => [
  {
    name: "Event",
    cell: (delivery) => (
      <button
        type="button"
        className="text-left font-medium hover:underline"
        onClick={() => open(delivery.delivery_id)}
      >
        {delivery.event}
        {delivery.test ? <Badge className="ml-2">test</Badge> : null}
      </button>
    ),
  },
  { name: "State", cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  {
    name: "Last response",
    cell: ({ last_status, last_error, attempts }) =>
      attempts === 0 ? (
        <span className="text-muted">never sent</span>
      ) : (
        <span>{answerText({ status: last_status, error: last_error })}</span>
      ),
  },
  { name: "Attempts", right: true, cell: ({ attempts }) => attempts },
  { name: "When", right: true, cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
];
