import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { type Delivery, readDelivery, retryDelivery } from "../../api/webhooks.ts";
import { exactly } from "../../lib/time.ts";
import { duration } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBlock, CopyText, JsonView } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { answerText } from "./words.ts";

const words: Readonly<Record<string, string>> = { delivered: "Delivered", failed: "Given up", cancelled: "Cancelled" };

/** How a delivery stands: one that waits says whether it was refused before. */
export function DeliveryBadge({
  delivery: { state, attempts },
}: {
  readonly delivery: Pick<Delivery, "state" | "attempts">;
}) {
  if (state !== "pending")
    return <Badge tone={state === "delivered" ? "good" : state === "failed" ? "bad" : "neutral"}>{words[state]}</Badge>;
  return <Badge tone={attempts === 0 ? "info" : "warn"}>{attempts === 0 ? "Sending" : "Retry scheduled"}</Badge>;
}

interface Parts {
  readonly webhook: string;
  /** Undefined: none is looked at. */
  readonly delivery: string | undefined;
  readonly onClose: () => void;
}

/** One delivery: what was sent, and what came of each attempt; and again, if wanted. */
export function DeliveryDialog({ webhook, delivery, onClose }: Parts) {
  return (
    <Dialog open={delivery !== undefined} onClose={onClose} title="Delivery" wide>
      {delivery === undefined ? null : <Content webhook={webhook} delivery={delivery} />}
    </Dialog>
  );
}

function Content({ webhook, delivery }: { readonly webhook: string; readonly delivery: string }) {
  const { data, error } = useLive(readDelivery(webhook, delivery), {
    every: (known) => (known?.state === "pending" ? 2000 : false),
    untold: true,
  });
  const change = useChange(retryDelivery, [
    "/v1/webhooks/{webhook}/deliveries/{delivery}",
    "/v1/webhooks/{webhook}/deliveries",
  ]);
  const mayWrite = useMay("webhooks:write");
  const again = async (): Promise<void> => {
    await change.mutateAsync({ webhook, delivery });
    toast("Sending again.");
  };
  if (error) return <ErrorState error={error} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <div className="grid gap-4 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-3">
          <DeliveryBadge delivery={data} />
          <CopyText text={data.event_id} label="event id" />
        </span>
        {mayWrite ? (
          <Button size="small" busy={change.isPending} onClick={() => void again().catch(() => {})}>
            Send again
          </Button>
        ) : null}
      </div>
      {change.error ? <ErrorState error={change.error} /> : null}
      {data.request_body === null ? (
        <p className="text-muted">The event is no longer kept.</p>
      ) : (
        <CodeBlock code={pretty(data.request_body)} label="request body" />
      )}
      <ol className="grid gap-3" aria-label="Attempts">
        {data.attempt_list.map((attempt) => (
          <li key={attempt.number} className="rounded-md border border-line p-3">
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <span className="font-medium">Attempt {attempt.number}</span>
              <code className={attempt.error === null ? "id text-good" : "id text-bad"}>
                {attempt.status === null && attempt.error === null ? "under way" : answerText(attempt)}
              </code>
              {attempt.latency_ms === null ? null : <span className="text-muted">{duration(attempt.latency_ms)}</span>}
              <span className="text-muted">{exactly(attempt.started_at)}</span>
            </p>
            {attempt.detail ? <p className="mt-1">{attempt.detail}</p> : null}
            <JsonView value={attempt.request_headers} label="Headers sent" />
            {attempt.response_excerpt ? (
              <CodeBlock code={attempt.response_excerpt} label="beginning of the response" className="mt-1.5" wrap />
            ) : null}
          </li>
        ))}
      </ol>
      {data.attempt_list.length === 0 ? <p className="text-muted">It was never sent so far.</p> : null}
    </div>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
