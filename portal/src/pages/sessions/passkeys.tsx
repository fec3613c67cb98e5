import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import {
  addPasskey,
  ownPasskeys,
  type Passkey,
  removePasskey,
  signInMethods,
  useRenewPasskeys,
} from "../../api/passkeys.ts";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

const route = getRouteApi("/shell/sessions");

/** One's own passkeys. They are changed from a session in person only: another may be somebody else's. */
export function Passkeys() {
  const { data: passkeys } = usePrefetched(ownPasskeys);
  const { data: methods } = usePrefetched(signInMethods);
  const { session } = route.useRouteContext();
  const [adding, setAdding] = useState(false);
  const inPerson = session.method === "oidc" || session.method === "passkey";
  const renew = useRenewPasskeys();
  const remove = ({ passkey_id, name }: Passkey): void =>
    void removePasskey(passkey_id).then(() => {
      toast(`${name} is removed, and the sessions that it opened have ended.`);
      return renew();
    }, toastProblem);
  if (!methods.passkeys && passkeys.length === 0) return null;
  return (
    <section aria-labelledby="passkeys" className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="passkeys" className="text-lg font-semibold tracking-tight">
          Your passkeys
        </h2>
        {inPerson && methods.passkeys ? (
          <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        ) : null}
      </div>
      {inPerson ? null : (
        <div className="mb-3">
          <Notice tone="info">
            To add or remove passkeys, sign in in person: with your provider, a passkey, or an invitation that was
            e-mailed to you.
          </Notice>
        </div>
      )}
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {passkeys.length === 0 ? (
          <p className="px-4 py-6 text-sm text-muted">You have no passkey yet.</p>
        ) : (
          <Table
            label="Passkeys"
            columns={columnsOf(inPerson ? remove : null)}
            rows={passkeys}
            rowKey={({ passkey_id }) => passkey_id}
          />
        )}
      </div>
      <AddPasskey open={adding} onClose={() => setAdding(false)} onAdded={renew} />
    </section>
  );
}

const columnsOf = (remove: ((passkey: Passkey) => void) | null): readonly Column<Passkey>[] => [
  { name: "Passkey", cell: ({ name }) => <span className="font-medium">{name}</span> },
  { name: "Added", cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
  {
    name: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span className="text-muted">never</span>
      ) : (
        <RelativeTime time={last_used_at} className="text-muted" />
      ),
  },
  {
    name: "Change",
    right: true,
    cell: (passkey) =>
      remove ? (
        <Button size="small" aria-label={`Remove ${passkey.name}`} onClick={() => remove(passkey)}>
          Remove
        </Button>
      ) : null,
  },
];

function AddPasskey({ open, onClose, onAdded }: { open: boolean; onClose: () => void; onAdded: () => Promise<void> }) {
  const change = useChange(addPasskey);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim() || "Passkey";
    change.mutateAsync(name).then(
      async () => {
        toast(`${name} is added.`);
        onClose();
        await onAdded();
      },
      () => undefined, // shown below
    );
  };
  const footer = (
    <>
      <Button onClick={onClose}>Not now</Button>
      <Button type="submit" form="add-passkey" kind="primary" busy={change.isPending}>
        Add
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title="Add a passkey" footer={footer}>
      <form id="add-passkey" onSubmit={submit} className="grid gap-4 text-sm">
        <p>
          Your device asks for your fingerprint, face or PIN. With a second passkey you can still sign in when a device
          is lost.
        </p>
        <Field name="name" label="Name of the passkey" defaultValue="My other device" maxLength={100} />
        {change.error ? (
          <div role="alert">
            <Notice tone="bad">{change.error.detail}</Notice>
          </div>
        ) : null}
      </form>
    </Dialog>
  );
}
