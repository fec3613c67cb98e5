import { createDelegation, listDeciders } from "../../api/approvals.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { ownRights } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { Field, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

const day = 86_400_000;

/** A time as `datetime-local` has it, by the clock of the browser. */
function localTime(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}

/** Has another person decide for a time; admins do so for others as well. */
export function AbsenceForm({ onClose }: { readonly onClose: () => void }) {
  const create = useChange(createDelegation, ["/v1/approvals/settings/delegations", "/v1/approvals"]);
  const { data: deciders } = useLive(listDeciders());
  const { data: own } = useLive(ownRights());
  const faultOf = (name: string): string | null =>
    create.error?.faults.find(({ pointer }) => pointer === `/${name}`)?.detail ?? null;
  const onSuccess = (): void => {
    toast("Delegation created.");
    onClose();
  };
  return (
    <FormDialog
      title="Have somebody stand in"
      word="Create"
      change={create}
      onSubmit={(form) => create.mutate(bodyOf(form), { onSuccess })}
      onClose={onClose}
      ready={deciders?.data.some(({ id }) => id !== own?.principal.id) ?? false}
      atFields
    >
      {deciders === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <Persons deciders={deciders.data} own={own} faultOf={faultOf} />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          name="starts_at"
          type="datetime-local"
          label="From"
          required
          defaultValue={localTime(Date.now())}
          fault={faultOf("starts_at")}
        />
        <Field
          name="ends_at"
          type="datetime-local"
          label="Until"
          required
          defaultValue={localTime(Date.now() + 7 * day)}
          fault={faultOf("ends_at")}
        />
      </div>
      <Field
        name="reason"
        label="Why"
        hint="Whoever reads approvals sees it."
        maxLength={500}
        fault={faultOf("reason")}
      />
    </FormDialog>
  );
}

function bodyOf(form: FormData): Schema<"CreateDelegationBody"> {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const time = (name: string): string => new Date(text(name)).toISOString();
  return {
    to: text("to"),
    starts_at: time("starts_at"),
    ends_at: time("ends_at"),
    ...(text("from") === "" ? {} : { from: text("from") }),
    ...(text("reason") === "" ? {} : { reason: text("reason") }),
  };
}

interface PersonsProps {
  readonly deciders: readonly Schema<"Party">[];
  readonly own: Answer<"/v1/admin/whoami"> | undefined;
  readonly faultOf: (name: string) => string | null;
}

/** Who is away, where an admin says so of others, and who decides instead. */
function Persons({ deciders, own, faultOf }: PersonsProps) {
  const self = own?.principal.id;
  const admin = own?.principal.role === "admin";
  return (
    <>
      {admin ? (
        <Select name="from" label="Who is away" defaultValue="" fault={faultOf("from")}>
          <option value="">Me</option>
          {deciders
            .filter(({ id }) => id !== self)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </Select>
      ) : null}
      <Select
        name="to"
        label="Who decides instead"
        hint="They decide as far as the one who is away may, and never about what either of them stands behind."
        fault={faultOf("to")}
      >
        {deciders
          .filter(({ id }) => admin || id !== self)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {id === self ? `${name} (me)` : name}
            </option>
          ))}
      </Select>
    </>
  );
}
