import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { counted } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { CreateWebhook } from "./create.tsx";
import { webhooksOf } from "./loaders.ts";
import { AuditSinks } from "./sinks.tsx";
import { answerText, ordinarilyWaiting, troubleOf } from "./words.ts";

const route = getRouteApi("/shell/webhooks");

/** Endpoints that receive events, and how they do. */
export function WebhooksPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(webhooksOf(search), { every: 5000, untold: true });
  const [creating, setCreating] = useState(false);
  const mayWrite = useMay("webhooks:write");
  const readsLog = useMay("audit:read");
  useShortcuts("Webhooks", mayWrite ? [{ keys: "n", label: "New endpoint", run: () => setCreating(true) }] : []);
  const add = mayWrite ? (
    <Button
      kind="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      shortcut="n"
      onClick={() => setCreating(true)}
    >
      New endpoint
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Endpoints that receive signed events at least once, with retries until they accept them."
        actions={add}
      />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState
            title="No endpoints yet"
            command={`curl -sS ${location.origin}/v1/webhooks \\\n  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" \\\n  -d '{"url": "https://hooks.example.com/aos", "events": ["task.*"]}'`}
          >
            An endpoint receives approvals, completions and policy blocks as they happen. Create one here, or with this
            call:
          </EmptyState>
        ) : (
          <Table label="Endpoints" columns={columns} rows={data.data} rowKey={({ webhook_id }) => webhook_id} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { cursor } })}
        />
      </div>
      {readsLog ? <AuditSinks /> : null}
      <CreateWebhook open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    name: "Endpoint",
    cell: (webhook) => (
      <span className="grid min-w-0 gap-0.5">
        <Link
          to="/webhooks/$webhook"
          params={{ webhook: webhook.webhook_id }}
          className="font-medium break-all hover:underline"
        >
          {webhook.url}
        </Link>
        {webhook.description ? <span className="text-muted">{webhook.description}</span> : null}
      </span>
    ),
  },
  {
    name: "Events",
    cell: ({ events }) => (
      <span className="flex flex-wrap gap-1">
        {events.slice(0, 3).map((event) => (
          <Badge key={event}>{event}</Badge>
        ))}
        {events.length > 3 ? <Badge>and {events.length - 3} more</Badge> : null}
      </span>
    ),
  },
  { name: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
  { name: "Health", cell: (webhook) => <Health webhook={webhook} /> },
];

/** Whether it is on, and whether it does what it is for. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.stopped_reason !== null) return <Badge tone="bad">Stopped</Badge>;
  const trouble = troubleOf(webhook);
  return trouble === null ? <StatusBadge status={webhook.state} /> : <Badge tone={trouble.tone}>{trouble.text}</Badge>;
}

/** In one line: what is wrong, else when something was last delivered. */
export function Health({ webhook }: { readonly webhook: Webhook }) {
  const { health, disabled_reason, stopped_reason, missed_since } = webhook;
  if (stopped_reason) return <span className="text-bad">{stopped_reason}</span>;
  if (disabled_reason) return <span className="text-bad">{disabledFor[disabled_reason]}</span>;
  if (missed_since)
    return (
      <span className="text-warn">
        may miss events since <RelativeTime time={missed_since} />
      </span>
    );
  if (health.failing_since)
    return (
      <span className="text-bad">
        {health.last_failure ? `${answerText(health.last_failure)}, ` : ""}failing since{" "}
        <RelativeTime time={health.failing_since} />
        {waitingText(health.pending)}
      </span>
    );
  if (health.last_success_at === null)
    return (
      <span className="text-muted">
        {health.pending > 0 ? `nothing was delivered yet${waitingText(health.pending)}` : "nothing was sent yet"}
      </span>
    );
  return (
    <span className={health.pending > ordinarilyWaiting ? "text-warn" : "text-muted"}>
      last delivered <RelativeTime time={health.last_success_at} />
      {waitingText(health.pending)}
    </span>
  );
}

const waitingText = (pending: number): string =>
  pending > 0 ? `, ${counted(pending, "delivery", "deliveries")} waiting` : "";

export const disabledFor: Readonly<Record<string, string>> = {
  gone: "disabled: it answered that it is gone (410)",
  failing: "disabled: for five days every attempt failed",
};
