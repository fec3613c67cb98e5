import { useState } from "react";
import { type AuditSink, changeSink, createSink, removeSink } from "../../api/audit.ts";
import type { Problem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Kind, newSinkOf, type SinkField, sinkKinds, valuesOf } from "./sink-kinds.ts";

export const touchedSinks = ["/v1/audit/sinks"] as const;

const faultAt = (error: Problem | null, name: string): string | null =>
  error?.faults.find(({ pointer }) => pointer === `/${name.replaceAll(".", "/")}`)?.detail ?? null;

/** Sets up a receiver of the audit log. */
export function CreateSink({ onClose }: { readonly onClose: () => void }) {
  const [kind, setKind] = useState<Kind>("splunk_hec");
  const change = useChange(createSink, touchedSinks);
  const { target, credentials } = sinkKinds[kind];
  const isLast = ({ name }: SinkField): boolean => name === "target.ca";
  const fields = [...target.filter((field) => !isLast(field)), ...credentials, ...target.filter(isLast)];
  const create = async (form: FormData): Promise<void> => {
    await change.mutateAsync(newSinkOf(kind, form));
    toast("The audit log is sent from now on.");
    onClose();
  };
  return (
    <FormDialog
      title="New audit sink"
      word="Create"
      wide
      change={change}
      onClose={onClose}
      onSubmit={(form) => void create(form).catch(() => undefined)}
      atFields={["name", ...fields.map(({ name }) => name)].some((name) => faultAt(change.error, name) !== null)}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Receiver" value={kind} onChange={(event) => setKind(event.target.value as Kind)} data-autofocus>
          {Object.entries(sinkKinds).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </Select>
        <Field name="name" label="Name" required maxLength={100} fault={faultAt(change.error, "name")} />
        {fields.map((field) => (
          <SinkInput key={`${kind} ${field.name}`} field={field} fault={faultAt(change.error, field.name)} />
        ))}
        <Select name="from" label="Records" hint="All of the environment, in the order of the log.">
          <option value="now">from now on</option>
          <option value="all">the whole log, and from now on</option>
        </Select>
      </div>
    </FormDialog>
  );
}

function SinkInput({ field, fault }: { readonly field: SinkField; readonly fault: string | null }) {
  const { name, label, hint, placeholder, required, type = "text" } = field;
  const shared = { name, label, hint, placeholder, required, fault };
  if (type === "long") return <TextArea {...shared} mono rows={3} className="sm:col-span-2" />;
  return <Field {...shared} type={type} {...(type === "password" && { autoComplete: "off" })} />;
}

interface OfSink {
  readonly sink: AuditSink;
  readonly onClose: () => void;
}

/** Replaces the credentials of a sink, which is tried again at once. */
export function ReplaceCredentials({ sink, onClose }: OfSink) {
  const change = useChange(changeSink, touchedSinks);
  const { credentials } = sinkKinds[sink.kind];
  const replace = async (form: FormData): Promise<void> => {
    await change.mutateAsync({ sink: sink.sink_id, credentials: {}, ...valuesOf(credentials, form) });
    toast("Replaced. It is tried again at once.");
    onClose();
  };
  return (
    <FormDialog
      title={`Replace credentials of ${sink.name}`}
      word="Replace"
      change={change}
      onClose={onClose}
      onSubmit={(form) => void replace(form).catch(() => undefined)}
      atFields={credentials.some(({ name }) => faultAt(change.error, name) !== null)}
    >
      {credentials.map((field) => (
        <SinkInput key={field.name} field={field} fault={faultAt(change.error, field.name)} />
      ))}
      <p className="text-muted">It then runs in your name, with your permissions.</p>
    </FormDialog>
  );
}

/** Asks once more before a sink is removed. */
export function RemoveSink({ sink, onClose }: OfSink) {
  const change = useChange(removeSink, touchedSinks);
  const remove = async (): Promise<void> => {
    await change.mutateAsync(sink.sink_id);
    toast("Audit sink removed.");
    onClose();
  };
  return (
    <FormDialog
      title="Remove audit sink"
      word="Remove"
      kind="danger"
      change={change}
      onClose={onClose}
      onSubmit={() => void remove().catch(() => undefined)}
    >
      <p>
        Nothing more is sent to <span className="font-medium">{sink.name}</span>. Another sink goes on without a gap
        from place {sink.position.toLocaleString("en")} of the log.
      </p>
    </FormDialog>
  );
}
