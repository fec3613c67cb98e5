import { type FormEvent, useState } from "react";
import { type Base, createConnector, type NewConnector, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { connectorBody, fieldsOf, type Kind, type KindField, kinds, schedules } from "./connector-kinds.ts";
import { ReadersField } from "./readers.tsx";

interface Parts {
  readonly base: Base;
  readonly onClose: () => void;
}

/** Attaches a source to a base. */
export function CreateConnector({ base, onClose }: Parts) {
  const [kind, setKind] = useState<Kind>("website");
  const [readers, setReaders] = useState<string[] | null>(null);
  const change = useChange(createConnector, touched.connectors);
  const create = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const body = connectorBody(kind, new FormData(event.currentTarget));
    await change.mutateAsync({ base: base.name, ...body, readers } as { base: string } & NewConnector);
    toast("Attached. Start a sync to bring its documents.");
    onClose();
  };
  const fault = (name: string): string | null =>
    change.error?.faults.find(({ pointer }) => pointer === `/${name.replaceAll(".", "/")}`)?.detail ?? null;
  const shown = ["name", "readers", "schedule.cron", ...fieldsOf(kind).map(({ name }) => name)];
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form="create-connector" busy={change.isPending}>
        Attach
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="New connector" footer={footer} wide>
      <form
        id="create-connector"
        onSubmit={(event) => void create(event).catch(() => undefined)}
        className="grid gap-4"
      >
        {change.error && !shown.some((name) => fault(name) !== null) ? <ErrorState error={change.error} /> : null}
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="Source"
            hint={kinds[kind].about}
            value={kind}
            onChange={({ target }) => setKind(target.value as Kind)}
            data-autofocus
          >
            {Object.entries(kinds).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </Select>
          <Field
            name="name"
            label="Name"
            placeholder="docs"
            hint="Lowercase letters, digits, _ and -."
            required
            fault={fault("name")}
          />
          {fieldsOf(kind).map((field) => (
            <KindInput key={`${kind} ${field.name}`} field={field} fault={fault(field.name)} />
          ))}
          <ScheduleField fault={fault("schedule.cron")} />
        </div>
        <ReadersField
          readers={readers}
          onChange={setReaders}
          everyone="Everyone who may read the base"
          fault={fault("readers")}
        />
      </form>
    </Dialog>
  );
}

function ScheduleField({ fault }: { readonly fault: string | null }) {
  return (
    <Select name="cron" label="Sync" hint="In your time zone. Without a schedule, press “Sync now”." fault={fault}>
      {schedules.map(([cron, word]) => (
        <option key={cron} value={cron}>
          {word}
        </option>
      ))}
    </Select>
  );
}

function KindInput({ field, fault }: { readonly field: KindField; readonly fault: string | null }) {
  const { name, label, hint, placeholder, required, type, options } = field;
  const shared = { name, label, hint, placeholder, required, fault };
  if (options !== undefined)
    return (
      <Select name={name} label={label} hint={hint} fault={fault}>
        {options.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Select>
    );
  if (type === "long") return <TextArea {...shared} mono rows={4} className="sm:col-span-2" />;
  return (
    <Field
      {...shared}
      type={type === "list" || type === undefined ? "text" : type}
      {...(type === "password" ? { autoComplete: "off" } : {})}
    />
  );
}
