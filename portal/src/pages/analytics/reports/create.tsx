import type { ReactNode } from "react";
import { listMembers } from "../../../api/admin.ts";
import { createReport, type NewReport, touched } from "../../../api/analytics-reports.ts";
import { useChange, useLive } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import { ownZone } from "../../../lib/window-request.ts";
import { spoken } from "../../../lib/words.ts";
import { Field, Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { ScheduleFields } from "../../../ui/schedule-fields.tsx";
import { toast } from "../../../ui/toast.tsx";
import { chapterNames, formats, periods, usualChapters } from "./words.ts";

/** A new report: what it tells, when, and to whom. */
export function CreateReport({ onClose }: { readonly onClose: () => void }) {
  const change = useChange(createReport, touched);
  const fault = (member: string): string | null =>
    change.error?.faults.find(({ pointer }) => pointer?.split("/")[1] === member)?.detail ?? null;
  const submit = (form: FormData): void =>
    change.mutate(reportOf(form), {
      onSuccess: ({ name }) => {
        toast(`${name} is made by its schedule.`);
        onClose();
      },
    });
  return (
    <FormDialog title="New report" word="Create report" change={change} onSubmit={submit} onClose={onClose} wide>
      <Field name="name" label="Name" required maxLength={120} placeholder="Weekly figures" data-autofocus />
      <div className="grid gap-4 sm:grid-cols-2">
        <ScheduleFields
          schedule="0 7 * * 1"
          zone={ownZone()}
          zoneHint="Such as Europe/Vienna; its days are the report's."
          fault={fault}
        />
        <Choice name="period" label="About" words={periods} first="week" />
        <Choice name="format" label="Format" words={formats} first="markdown" />
        <Field name="agent" label="Only agent" placeholder="all" fault={fault("agent")} />
        <Field
          name="label"
          label="Only label"
          placeholder="all"
          pattern="[^:]+:.+"
          title="name:value"
          hint="A declared one, such as customer:acme."
          fault={fault("label")}
        />
      </div>
      <Checks legend="Chapters">
        {chapterNames.map((name) => (
          <Check key={name} name="chapters" value={name} first={usualChapters.includes(name)}>
            {spoken(name)}
          </Check>
        ))}
      </Checks>
      {useMay("admin:read") ? <Recipients /> : null}
    </FormDialog>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly words: Readonly<Record<string, string>>;
  readonly first: string;
}

const Choice = ({ name, label, words, first }: ChoiceProps) => (
  <Select name={name} label={label} defaultValue={first}>
    {Object.entries(words).map(([value, word]) => (
      <option key={value} value={value}>
        {word}
      </option>
    ))}
  </Select>
);

/** Members who get it by e-mail. */
function Recipients() {
  const { data } = useLive(listMembers());
  const people = data?.data.filter(({ email }) => email !== null) ?? [];
  if (people.length === 0) return null;
  return (
    <Checks legend="By e-mail to">
      {people.map(({ member_id, name, email }) => (
        <Check key={member_id} name="recipients" value={member_id}>
          {name} <span className="text-muted">{email}</span>
        </Check>
      ))}
    </Checks>
  );
}

const Checks = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1.5 font-medium">{legend}</legend>
    <div className="flex max-h-48 flex-wrap gap-x-5 gap-y-1.5 overflow-auto">{children}</div>
  </fieldset>
);

interface CheckProps {
  readonly name: string;
  readonly value: string;
  readonly first?: boolean;
  readonly children: ReactNode;
}

const Check = ({ name, value, first = false, children }: CheckProps) => (
  <label className="flex items-center gap-2 pointer-coarse:min-h-11">
    <input type="checkbox" name={name} value={value} defaultChecked={first} className="size-4 accent-accent" />
    <span>{children}</span>
  </label>
);

function reportOf(form: FormData): NewReport {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const chosen = (name: string): string[] => form.getAll(name).map(String);
  const [chapters, recipients] = [chosen("chapters"), chosen("recipients")];
  return {
    name: text("name"),
    schedule: text("schedule"),
    time_zone: text("time_zone"),
    period: text("period") as NewReport["period"],
    format: text("format") as NonNullable<NewReport["format"]>,
    ...(chapters.length > 0 ? { chapters: chapters as NonNullable<NewReport["chapters"]> } : {}),
    ...(recipients.length > 0 ? { recipients } : {}),
    ...(text("agent") === "" ? {} : { agent: text("agent") }),
    ...(text("label") === "" ? {} : { label: text("label") }),
  };
}
