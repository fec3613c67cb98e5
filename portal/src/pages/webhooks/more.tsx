import { useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { listEventTypes, removeWebhook, rotateSecret, testWebhook, type Webhook } from "../../api/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Secret } from "../../ui/secret.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Signing } from "./signing.tsx";

interface Parts {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sends a sample of an event, which is in no log. */
export function SendTest({ webhook, open, onClose }: Parts & { readonly webhook: string }) {
  const { data: types } = usePrefetched(listEventTypes());
  const [event, setEvent] = useState("ping");
  const change = useChange(testWebhook, ["/v1/webhooks/{webhook}", "/v1/webhooks/{webhook}/deliveries"]);
  const summary = types.data.find((one) => one.event === event)?.summary;
  const send = async (): Promise<void> => {
    await change.mutateAsync({ webhook, event });
    toast("Sample sent. See the deliveries for the response.");
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" busy={change.isPending} onClick={() => void send().catch(() => {})}>
        Send
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title="Send a sample" footer={footer}>
      <div className="grid gap-4">
        <Select label="Event" hint={summary} value={event} onChange={(change) => setEvent(change.target.value)}>
          {types.data.map((one) => (
            <option key={one.event}>{one.event}</option>
          ))}
        </Select>
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}

/** Asks once more before an endpoint has a new secret, and shows that this once. */
export function RotateSecret({ webhook, onClose }: { readonly webhook: string; readonly onClose: () => void }) {
  const change = useChange(rotateSecret, ["/v1/webhooks", "/v1/webhooks/{webhook}"]);
  if (change.data)
    return (
      <Secret title="New secret" secret={change.data.secret} onClose={onClose}>
        <Signing />
      </Secret>
    );
  const close = (): void => {
    if (!change.isPending) onClose(); // it may be made by now, and is shown only here
  };
  const footer = (
    <>
      <Button onClick={close}>Keep the present one</Button>
      <Button kind="primary" busy={change.isPending} onClick={() => change.mutate(webhook)}>
        Rotate secret
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} title="Rotate secret" footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          Update the endpoint within a day; until then each delivery is also signed with the current secret. The new one
          is shown once.
        </p>
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}

/** Asks once more before an endpoint is removed. */
export function RemoveWebhook({
  webhook,
  open,
  onClose,
  onRemoved,
}: Parts & { readonly webhook: Webhook; readonly onRemoved: () => void }) {
  const change = useChange(removeWebhook, ["/v1/webhooks"]);
  const remove = async (): Promise<void> => {
    await change.mutateAsync(webhook.webhook_id);
    toast("Endpoint removed.");
    onRemoved();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Keep it</Button>
      <Button kind="danger" busy={change.isPending} onClick={() => void remove().catch(() => {})}>
        Remove
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title="Remove endpoint" footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          Nothing more is sent to <span className="font-medium break-all">{webhook.url}</span>. The events stay in the
          log and can be read there.
        </p>
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}
