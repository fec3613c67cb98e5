import { type FormEvent, useState } from "react";
import { issueKey } from "../../api/admin.ts";
import type { Problem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";

type Role = Schema<"RoleName">;

/** The roles, by what their holders do. */
const roles: Readonly<Record<Role, string>> = {
  viewer: "reads",
  operator: "gives work and stops it",
  builder: "makes and deploys agents",
  evaluator: "measures them and sets gates",
  approver: "decides what waits for people",
  auditor: "reads and exports the log",
  admin: "all of it, and keys",
};

const wordsOf = (form: FormData, name: string): string[] =>
  String(form.get(name) ?? "")
    .split(/[\s,]+/)
    .filter((word) => word !== "");

/** What a filled form asks for; what is left empty is left out. */
function wanted(form: FormData): Parameters<typeof issueKey>[0] {
  const days = String(form.get("days"));
  const account = String(form.get("account") ?? "").trim();
  const [agents, addresses] = [wordsOf(form, "agents"), wordsOf(form, "addresses")];
  return {
    name: String(form.get("name")),
    role: String(form.get("role")) as Role,
    expires_in_days: days === "never" ? null : Number(days),
    ...(agents.length > 0 ? { agents } : {}),
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(account === "" ? {} : { for: { service_account: account } }),
  };
}

/** Creates a key and shows it once. */
export function IssueKey({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const change = useChange(issueKey, ["/v1/admin/keys"]);
  const [seen, setSeen] = useState(false);
  const { data: issued, data: { key } = {} } = change;
  const close = (): void => {
    if (change.isPending) return; // the response shows the key only once
    if (key !== undefined && !seen) return; // closing by accident would lose the key for ever
    change.reset();
    setSeen(false);
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    change.mutate(wanted(new FormData(event.currentTarget)));
  };
  if (issued && key === undefined) return <LostKey name={issued.name} open={open} onClose={close} />;
  if (issued && key !== undefined) {
    const done = (
      <Button kind="primary" disabled={!seen} onClick={close}>
        Done
      </Button>
    );
    return (
      <Dialog open={open} onClose={close} title={`Key “${issued.name}”`} footer={done}>
        <IssuedKey value={key} seen={seen} onSeen={setSeen} />
      </Dialog>
    );
  }
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary" type="submit" form="issue-key" busy={change.isPending}>
        Create key
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={close} title="New key" footer={footer}>
      <form id="issue-key" onSubmit={submit} className="grid gap-4">
        <KeyFields error={change.error} />
      </form>
    </Dialog>
  );
}

interface IssuedKeyProps {
  readonly value: string;
  readonly seen: boolean;
  readonly onSeen: (seen: boolean) => void;
}

function IssuedKey({ value, seen, onSeen }: IssuedKeyProps) {
  return (
    <div className="grid gap-4">
      <Notice tone="warn">Copy it now. It is not stored and cannot be shown again.</Notice>
      <CodeBlock code={value} label="key" wrap />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={seen}
          onChange={(event) => onSeen(event.target.checked)}
          className="size-4 accent-accent"
        />
        I have saved it securely
      </label>
    </div>
  );
}

function KeyFields({ error }: { readonly error: Problem | null }) {
  const fault = (pointer: string): string | null =>
    error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  return (
    <>
      {error && error.faults.length === 0 ? <ErrorState error={error} /> : null}
      <Field
        name="name"
        label="Name"
        hint="What it is for, such as “order import”."
        required
        maxLength={100}
        fault={fault("/name")}
        autoFocus
      />
      <Select name="role" label="Role" defaultValue="operator" fault={fault("/role")}>
        {Object.entries(roles).map(([role, does]) => (
          <option key={role} value={role}>
            {role}: {does}
          </option>
        ))}
      </Select>
      <Select name="days" label="Expires" defaultValue="90" fault={fault("/expires_in_days")}>
        <option value="1">after a day</option>
        <option value="30">after 30 days</option>
        <option value="90">after 90 days</option>
        <option value="365">after a year</option>
        <option value="never">never</option>
      </Select>
      <Field
        name="account"
        label="Service account"
        hint="A short lower-case name, for a program. Empty: the key acts for you. Only people can approve."
        fault={fault("/for")}
      />
      <Field
        name="agents"
        label="Only these agents"
        hint="Names, separated by commas. Empty: all."
        fault={fault("/agents")}
      />
      <Field
        name="addresses"
        label="Only from these networks"
        hint="Addresses or CIDR blocks. Empty: from anywhere."
        fault={fault("/addresses")}
      />
    </>
  );
}

/** The key was created but the response was lost; a retry does not show it again. */
function LostKey({
  name,
  open,
  onClose,
}: {
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={`Key “${name}”`} footer={<Button onClick={onClose}>Close</Button>}>
      <Notice tone="warn">
        The key was created, but the connection broke before this page received it, and it cannot be shown again. Revoke
        it and make another.
      </Notice>
    </Dialog>
  );
}
