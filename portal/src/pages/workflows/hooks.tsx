import { Plus } from "lucide-react";
import { useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Hook } from "../../api/workflow-types.ts";
import { createHook, listHooks, removeHook, rotateHook } from "../../api/workflows.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Secret } from "../../ui/secret.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";

const touched = ["/v1/hooks"] as const;

type Asked = { readonly to: "create" } | { readonly to: "rotate" | "remove"; readonly hook: Hook };

/** Inbound hooks: signed calls of other services that publish events here. */
export function Hooks() {
  const { data } = usePrefetched(listHooks(), { every: 15_000 });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [secret, setSecret] = useState<{ readonly secret: string | undefined } | null>(null);
  const mayWrite = useMay("workflows:write");
  const close = (): void => setAsked(null);
  const onSecret = (answer: { readonly secret?: string }): void => {
    close();
    setSecret({ secret: answer.secret });
  };
  return (
    <div className="grid gap-4">
      {mayWrite ? (
        <div>
          <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setAsked({ to: "create" })}>
            New hook
          </Button>
        </div>
      ) : null}
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState title="No hooks yet">
            A hook is an address that another service calls. Each signed call publishes an event, which starts the
            workflows that have a trigger for it.
          </EmptyState>
        ) : (
          <Table label="Hooks" columns={columnsOf(mayWrite, setAsked)} rows={data.data} rowKey={({ name }) => name} />
        )}
      </div>
      {asked?.to === "create" ? <Create onDone={onSecret} onClose={close} /> : null}
      {asked?.to === "rotate" ? <Rotate hook={asked.hook} onDone={onSecret} onClose={close} /> : null}
      {asked?.to === "remove" ? <Remove hook={asked.hook} onClose={close} /> : null}
      {secret ? (
        <Secret title="Hook secret" secret={secret.secret} onClose={() => setSecret(null)}>
          <p>
            The sender signs each call with it as Standard Webhooks say. Calls without a valid signature are refused.
          </p>
        </Secret>
      ) : null}
    </div>
  );
}

const columnsOf = (mayWrite: boolean, onAsk: (asked: Asked) => void): readonly Column<Hook>[] => [
  {
    name: "Hook",
    cell: ({ name, description }) => (
      <span className="grid gap-0.5">
        <span className="font-medium">{name}</span>
        <span className="text-muted">{description}</span>
      </span>
    ),
  },
  { name: "Address", cell: ({ url }) => <CopyText text={url} label="address" /> },
  { name: "Made", cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
  {
    name: "Action",
    right: true,
    cell: (hook) =>
      mayWrite ? (
        <span className="inline-flex flex-wrap gap-2 md:justify-end">
          <Button size="small" onClick={() => onAsk({ to: "rotate", hook })}>
            New secret<span className="sr-only"> for {hook.name}</span>
          </Button>
          <Button size="small" kind="refuse" onClick={() => onAsk({ to: "remove", hook })}>
            Delete<span className="sr-only"> {hook.name}</span>
          </Button>
        </span>
      ) : (
        "–"
      ),
  },
];

interface Asking {
  readonly onDone: (answer: { readonly secret?: string }) => void;
  readonly onClose: () => void;
}

function Create({ onDone, onClose }: Asking) {
  const change = useChange(createHook, touched);
  const fault = (pointer: string): string | null =>
    change.error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const submit = (form: FormData): void => {
    const description = String(form.get("description"));
    change.mutate(
      { name: String(form.get("name")).trim(), ...(description === "" ? {} : { description }) },
      { onSuccess: onDone },
    );
  };
  return (
    <FormDialog title="New hook" word="Create" atFields change={change} onSubmit={submit} onClose={onClose}>
      <Field
        name="name"
        label="Name"
        placeholder="shop"
        hint="The end of its address: lowercase letters, digits, _ and -."
        required
        fault={fault("/name")}
        data-autofocus
      />
      <Field name="description" label="Who calls it, and why" maxLength={500} fault={fault("/description")} />
    </FormDialog>
  );
}

function Rotate({ hook, onDone, onClose }: Asking & { readonly hook: Hook }) {
  const change = useChange(rotateHook, touched);
  return (
    <FormDialog
      title={`New secret for ${hook.name}`}
      word="Make a new secret"
      change={change}
      onSubmit={() => change.mutate(hook.name, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>For a day calls signed with the old secret are taken as well, so that the sender can change over.</p>
    </FormDialog>
  );
}

function Remove({ hook, onClose }: { readonly hook: Hook; readonly onClose: () => void }) {
  const change = useChange(removeHook, touched);
  const remove = (): void =>
    change.mutate(hook.name, {
      onSuccess: () => {
        toast(`${hook.name} is deleted.`);
        onClose();
      },
    });
  return (
    <FormDialog
      title={`Delete ${hook.name}`}
      word="Delete"
      kind="danger"
      change={change}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>Calls to its address are refused from now on. Workflows with a trigger for it start no further runs by it.</p>
    </FormDialog>
  );
}
