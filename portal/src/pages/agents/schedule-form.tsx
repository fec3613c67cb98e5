import { useState } from "react";
import {
  type CreateSchedule,
  changeSchedule,
  createSchedule,
  type Schedule,
  touched,
} from "../../api/agent-schedules.ts";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { fieldsOf, inputOf } from "../../lib/input-form.ts";
import { ownZone } from "../../lib/window-request.ts";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { InputOf } from "../../ui/input-of.tsx";
import { ScheduleFields } from "../../ui/schedule-fields.tsx";
import { toast } from "../../ui/toast.tsx";
import { AtWork } from "./at-work.tsx";

type Agent = Schema<"Agent">;
type Skills = Agent["definition"]["skills"];

interface Parts {
  readonly agent: Agent;
  readonly schedule?: Schedule;
  readonly onClose: () => void;
}

/** Makes a schedule, or changes one. */
export function ScheduleForm(parts: Parts) {
  return <AtWork agent={parts.agent}>{({ skills }) => <OfSkills {...parts} skills={skills} />}</AtWork>;
}

function OfSkills({ agent, schedule, skills, onClose }: Parts & { readonly skills: Skills }) {
  const add = useChange(createSchedule, touched);
  const change = useChange(changeSchedule, touched);
  const [name, setName] = useState(schedule?.task ?? skills[0]?.name ?? "");
  const [unread, setUnread] = useState<string | null>(null);
  const skill = skills.find((each) => each.name === name);
  // What stands there already is changed as JSON: it may hold what no field of the form says.
  const fields = schedule ? null : fieldsOf(skill?.input ?? {});
  const done = {
    onSuccess: () => {
      toast(schedule ? "Schedule changed." : "Schedule added.");
      onClose();
    },
  };
  const submit = (form: FormData): void => {
    const input = fields ? inputOf(fields, form) : jsonOf(String(form.get("input")));
    setUnread(input === null ? "is no JSON object: check quotes, commas and braces" : null);
    if (input === null) return;
    const body = bodyOf(form, name, input);
    if (schedule) {
      const budget = body.budget ?? null;
      change.mutate({ agent: agent.agent, schedule: schedule.schedule_id, body: { ...body, budget } }, done);
    } else add.mutate({ agent: agent.agent, body }, done);
  };
  const sent = schedule ? change : add;
  const faultOf = (member: string): string | null =>
    sent.error?.faults.find(({ pointer }) => pointer?.split("/").includes(member))?.detail ?? null;
  return (
    <FormDialog
      title={schedule ? "Change schedule" : "Add schedule"}
      word={schedule ? "Change" : "Add"}
      change={sent}
      onSubmit={submit}
      onClose={onClose}
      wide
    >
      <Select label="Skill" value={name} onChange={(event) => setName(event.target.value)}>
        {skills.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </Select>
      {fields?.map((field) => (
        <InputOf key={`${name} ${field.name}`} field={field} fault={faultOf(field.name)} />
      ))}
      {fields ? null : (
        <TextArea
          name="input"
          label="Input"
          hint="JSON"
          mono
          rows={5}
          spellCheck={false}
          defaultValue={JSON.stringify(schedule?.input ?? {}, null, 2)}
          fault={unread ?? faultOf("input")}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <ScheduleFields
          schedule={schedule?.schedule ?? "0 7 * * MON-FRI"}
          zone={schedule?.time_zone ?? ownZone()}
          fault={faultOf}
        />
      </div>
      <Rules schedule={schedule} />
    </FormDialog>
  );
}

function Rules({ schedule }: { readonly schedule: Schedule | undefined }) {
  const { budget = null, overlap = "skip", missed = "run_once", note = "" } = schedule ?? {};
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select name="overlap" label="While the task before is open" defaultValue={overlap}>
        <option value="skip">Leave this time out</option>
        <option value="queue">Wait until it is over</option>
        <option value="cancel_previous">Cancel it</option>
      </Select>
      <Select name="missed" label="Missed times" defaultValue={missed}>
        <option value="run_once">Make up for the last one</option>
        <option value="skip">Leave them out</option>
      </Select>
      <Field
        name="per_run_usd"
        type="number"
        step="any"
        min="0"
        label="At most a task, USD"
        defaultValue={budget?.per_run_usd}
      />
      <Field
        name="per_month_usd"
        type="number"
        step="any"
        min="0"
        label="At most a month, USD"
        defaultValue={budget?.per_month_usd}
      />
      <Field className="sm:col-span-2" name="note" label="What it is for" defaultValue={note} maxLength={500} />
    </div>
  );
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function bodyOf(form: FormData, task: string, input: Record<string, unknown>): CreateSchedule {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const limit = (name: "per_run_usd" | "per_month_usd") => (text(name) === "" ? {} : { [name]: Number(text(name)) });
  const budget = { ...limit("per_run_usd"), ...limit("per_month_usd") };
  return {
    task,
    input,
    schedule: text("schedule"),
    time_zone: text("time_zone"),
    note: text("note"),
    overlap: text("overlap") as NonNullable<CreateSchedule["overlap"]>,
    missed: text("missed") as NonNullable<CreateSchedule["missed"]>,
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
  };
}
