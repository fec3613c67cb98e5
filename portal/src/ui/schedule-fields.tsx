import { useState } from "react";
import { Field } from "./field.tsx";
import { TimesAhead } from "./times-ahead.tsx";

interface ScheduleFieldsProps {
  /** What stands in the fields at first. */
  readonly schedule: string;
  readonly zone: string;
  readonly zoneHint?: string;
  readonly fault: (member: string) => string | null;
}

/** The fields `schedule` and `time_zone` of a form in two columns, with the times that come of them. */
export function ScheduleFields({
  schedule,
  zone: first,
  zoneHint = "Such as Europe/Vienna.",
  fault,
}: ScheduleFieldsProps) {
  const [cron, setCron] = useState(schedule);
  const [zone, setZone] = useState(first);
  return (
    <>
      <Field
        name="schedule"
        label="Schedule"
        hint="Minute, hour, day, month, weekday."
        value={cron}
        onChange={(event) => setCron(event.target.value)}
        fault={fault("schedule")}
        spellCheck={false}
        required
      />
      <Field
        name="time_zone"
        label="Time zone"
        hint={zoneHint}
        value={zone}
        onChange={(event) => setZone(event.target.value)}
        fault={fault("time_zone")}
        spellCheck={false}
        required
      />
      <div className="sm:col-span-2">
        <TimesAhead schedule={cron.trim()} zone={zone.trim()} />
      </div>
    </>
  );
}
