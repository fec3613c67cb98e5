import { useId } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { days } from "./draft.ts";
import type { PartProps } from "./edit.tsx";

const zones = Intl.supportedValuesOf("timeZone");

/** When the team works, by the clock of its time zone. */
export function HoursFields(parts: PartProps) {
  const { draft, onChange } = parts;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">Opening hours</legend>
      <div className="flex flex-wrap gap-x-5">
        <Choice label="Always open" checked={draft.always} onChoose={() => onChange({ always: true })} />
        <Choice label="At these times" checked={!draft.always} onChoose={() => onChange({ always: false })} />
      </div>
      {draft.always ? null : <Times {...parts} />}
    </fieldset>
  );
}

function Times({ draft, onChange, fault }: PartProps) {
  const list = useId();
  const { weekly } = draft;
  const ofWeek = days.some(([day]) => fault(`/hours/weekly/${day}`) !== null) ? null : fault("/hours/weekly");
  const copy = (): void =>
    onChange({ weekly: { ...weekly, tue: weekly.mon, wed: weekly.mon, thu: weekly.mon, fri: weekly.mon } });
  return (
    <div className="grid gap-4 border-l-2 border-line pl-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Time zone"
          list={list}
          value={draft.timeZone}
          onChange={({ target }) => onChange({ timeZone: target.value })}
          placeholder="Europe/Vienna"
          fault={fault("/hours/time_zone")}
          required
        />
        <Field
          label="Closed on"
          hint="Holidays, with commas: 2026-12-25, 2026-12-26."
          value={draft.holidays}
          onChange={({ target }) => onChange({ holidays: target.value })}
          fault={fault("/hours/holidays")}
        />
        <datalist id={list}>
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {days.map(([day, name]) => (
          <Field
            key={day}
            label={name}
            placeholder="closed"
            value={weekly[day]}
            onChange={({ target }) => onChange({ weekly: { ...weekly, [day]: target.value } })}
            fault={fault(`/hours/weekly/${day}`)}
          />
        ))}
      </div>
      {ofWeek === null ? null : (
        <p role="alert" className="text-bad">
          {ofWeek}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-3 text-muted">
        <Button size="small" onClick={copy}>
          Monday’s times until Friday
        </Button>
        Times such as 09:00-12:00, 13:00-17:00; until midnight is 24:00; empty is closed.
      </p>
    </div>
  );
}

function Choice({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="flex items-center gap-2 pointer-coarse:min-h-11">
      <input type="radio" checked={checked} onChange={onChoose} className="size-4 accent-accent" />
      {label}
    </label>
  );
}
