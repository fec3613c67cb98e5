import { useState } from "react";
import { listAgents } from "../../../api/agents.ts";
import { setChannel } from "../../../api/chat-channels.ts";
import type { Channel, ChannelKind } from "../../../api/chat-types.ts";
import { useChange, useLive } from "../../../api/queries.ts";
import { Field, Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type ChannelField, kinds, presentOf, settingsOf } from "./kinds.ts";

interface EditProps {
  /** The one that is changed; left out: a new one. */
  readonly channel?: Channel;
  readonly onClose: () => void;
}

/** Connects a channel, or changes one. The service tests the connection before it takes it. */
export function EditChannel({ channel, onClose }: EditProps) {
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? "web");
  const change = useChange(setChannel, ["/v1/chat/channels"]);
  const submit = (form: FormData): void => {
    const text = (name: string): string => String(form.get(name) ?? "").trim();
    const name = channel?.name ?? text("name");
    change.mutate(
      { name, kind, agent: text("agent"), enabled: form.get("enabled") === "on", ...settingsOf(kind, form) },
      {
        onSuccess: ({ enabled }) => {
          toast(enabled ? `${name} works: the connection was tested.` : `${name} is kept, and switched off.`);
          onClose();
        },
      },
    );
  };
  const fault = (place: string): string | null =>
    change.error?.faults.find(({ pointer }) => pointer === `/${place.replaceAll(".", "/")}`)?.detail ?? null;
  const shown = ["name", "agent", ...kinds[kind].fields.map(({ name }) => name)].some((name) => fault(name) !== null);
  return (
    <FormDialog
      title={channel ? `Change ${channel.name}` : "Connect a channel"}
      word={channel ? "Test and save" : "Test and connect"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
      wide
      atFields={shown}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {channel ? null : <KindAndName kind={kind} onKind={setKind} fault={fault("name")} />}
        <AgentSelect present={channel?.agent} fault={fault("agent")} />
        {kinds[kind].fields.map((field) => (
          <Setting key={`${kind} ${field.name}`} field={field} channel={channel} fault={fault(field.name)} />
        ))}
      </div>
      <label className="flex items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          name="enabled"
          defaultChecked={channel?.enabled ?? true}
          className="size-4 accent-accent"
        />
        Switched on
      </label>
    </FormDialog>
  );
}

interface KindProps {
  readonly kind: ChannelKind;
  readonly onKind: (kind: ChannelKind) => void;
  readonly fault: string | null;
}

function KindAndName({ kind, onKind, fault }: KindProps) {
  return (
    <>
      <Select
        label="Kind"
        hint={kinds[kind].about}
        value={kind}
        onChange={({ target }) => onKind(target.value as ChannelKind)}
      >
        {Object.entries(kinds).map(([value, { title }]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Select>
      <Field
        name="name"
        label="Name"
        placeholder={kind === "email" ? "help-mail" : kind}
        hint="Lowercase letters, digits and -."
        required
        fault={fault}
      />
    </>
  );
}

function AgentSelect({ present, fault }: { readonly present: string | undefined; readonly fault: string | null }) {
  const { data } = useLive(listAgents({ limit: 100, status: ["deployed"] }));
  const names = data?.data.map(({ agent }) => agent) ?? [];
  // Again once the agents are known, so that the present one is chosen.
  return (
    <Select key={names.length} name="agent" label="Agent" required defaultValue={present} fault={fault}>
      {present === undefined || names.includes(present) ? null : <option>{present}</option>}
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}

interface SettingProps {
  readonly field: ChannelField;
  readonly channel: Channel | undefined;
  readonly fault: string | null;
}

function Setting({ field, channel, fault }: SettingProps) {
  const { name, label, hint, placeholder, required, type, choices } = field;
  const kept = type === "password" && channel?.has_secret === true;
  const common = { name, label, fault, defaultValue: presentOf(field, channel?.config) };
  if (choices)
    return (
      <Select {...common} hint={hint}>
        {choices.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Select>
    );
  return (
    <Field
      {...common}
      hint={kept ? "Empty: stays as it is." : hint}
      placeholder={kept ? "" : placeholder}
      required={required === true && !kept}
      type={type === undefined || type === "list" ? "text" : type}
      {...(type === "password" ? { autoComplete: "off" } : {})}
    />
  );
}
