import { type FormEvent, useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { createWebhook, listEventTypes } from "../../api/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Chips, Field, Select } from "../../ui/field.tsx";
import { Secret } from "../../ui/secret.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Signing } from "./signing.tsx";

type Body = Parameters<typeof createWebhook>[0];

/** Subscribes an endpoint, and shows its secret this once. */
export function CreateWebhook({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const change = useChange(createWebhook, ["/v1/webhooks"]);
  const { data: types } = usePrefetched(listEventTypes());
  const [events, setEvents] = useState<string[]>(["task.*"]);
  const close = (): void => {
    if (change.isPending) return; // it may be made by now, and its secret is shown only here
    change.reset();
    onClose();
  };
  if (change.data)
    return (
      <Secret onClose={close} title="Endpoint secret" secret={change.data.secret}>
        <Signing />
      </Secret>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const description = String(form.get("description") ?? "");
    const format = String(form.get("format")) as NonNullable<Body["format"]>;
    change.mutate({ url: String(form.get("url")), events, format, ...(description === "" ? {} : { description }) });
  };
  const fault = (pointer: string): string | null =>
    change.error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary" type="submit" form="create-webhook" busy={change.isPending} disabled={events.length === 0}>
        Subscribe
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={close} title="New endpoint" footer={footer}>
      <form id="create-webhook" onSubmit={submit} className="grid gap-4">
        {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
        <Field
          name="url"
          label="Address"
          type="url"
          placeholder="https://hooks.example.com/aos"
          hint="A public https address. In development, http on this machine also works."
          required
          fault={fault("/url")}
          autoFocus
        />
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">Events</p>
          <Chips
            label="Events"
            options={choicesOf(types.data.map(({ event }) => event))}
            chosen={events}
            onChange={setEvents}
          />
          {fault("/events") ? <p className="text-sm text-bad">{fault("/events")}</p> : null}
        </div>
        <Select name="format" label="Format" defaultValue="flat" fault={fault("/format")}>
          <option value="flat">flat: the event's own members</option>
          <option value="standard">standard: type, timestamp, data</option>
          <option value="cloudevents">CloudEvents 1.0</option>
        </Select>
        <Field name="description" label="Description" maxLength={500} fault={fault("/description")} />
      </form>
    </Dialog>
  );
}

/** All, and each group of events. */
function choicesOf(events: readonly string[]): readonly (readonly [string, string])[] {
  const groups = [
    ...new Set(events.filter((event) => event.includes(".")).map((event) => `${event.slice(0, event.indexOf("."))}.*`)),
  ];
  return [["*", "all"], ...groups.map((group) => [group, group] as const)];
}
