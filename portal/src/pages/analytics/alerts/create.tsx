import { useState } from "react";
import { createAlert, type NewAlert } from "../../../api/analytics-alerts.ts";
import { useChange } from "../../../api/queries.ts";
import { Field, Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { measureNames, titleOf, unitOf } from "../words.ts";

const windows = [
  [5, "5 minutes"],
  [15, "15 minutes"],
  [60, "an hour"],
  [360, "6 hours"],
  [1440, "a day"],
  [10080, "a week"],
] as const;
const kinds = [
  ["above", "above a threshold"],
  ["below", "below a threshold"],
  ["anomaly", "unlike earlier weeks"],
] as const;
type Kind = (typeof kinds)[number][0];

const hints = { share: "In percent.", score: "From 0 to 1.", usd: "In US dollars.", seconds: "In seconds." };

/** A new alert: a measure, when it fires, and what narrows it. */
export function CreateAlert({ onClose }: { readonly onClose: () => void }) {
  const change = useChange(createAlert, ["/v1/analytics/alerts"]);
  const [measure, setMeasure] = useState("failed");
  const [kind, setKind] = useState<Kind>("above");
  const submit = (form: FormData): void =>
    change.mutate(alertOf(form), {
      onSuccess: ({ name }) => {
        toast(`${name} is watched.`);
        onClose();
      },
    });
  return (
    <FormDialog title="New alert" word="Create alert" change={change} onSubmit={submit} onClose={onClose}>
      <Field name="name" label="Name" required maxLength={120} placeholder="Many failures" data-autofocus />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          name="measure"
          label="Measure"
          value={measure}
          onChange={(event) => setMeasure(event.currentTarget.value)}
        >
          {measureNames.map((name) => (
            <option key={name} value={name}>
              {titleOf(name)}
            </option>
          ))}
        </Select>
        <Select name="window_minutes" label="Measured over" defaultValue={60}>
          {windows.map(([minutes, title]) => (
            <option key={minutes} value={minutes}>
              {title}
            </option>
          ))}
        </Select>
        <Select name="kind" label="Fires" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          {kinds.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </Select>
        {kind === "anomaly" ? (
          <Rarity />
        ) : (
          <Field
            name="threshold"
            label="Threshold"
            type="number"
            step="any"
            required
            hint={hints[unitOf(measure) as keyof typeof hints]}
          />
        )}
        <Field name="for_minutes" label="For minutes" type="number" min={0} max={10080} defaultValue={0} />
        <Field name="agent" label="Only agent" placeholder="all" />
      </div>
    </FormDialog>
  );
}

const Rarity = () => (
  <div className="grid grid-cols-2 gap-3">
    <Select name="direction" label="Which way">
      <option value="both">either</option>
      <option value="high">high</option>
      <option value="low">low</option>
    </Select>
    <Field name="once_in" label="Once in windows" type="number" min={20} max={1_000_000} defaultValue={1000} />
  </div>
);

function alertOf(form: FormData): NewAlert {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const measure = text("measure");
  const kind = text("kind") as Kind;
  const scale = unitOf(measure) === "share" ? 0.01 : 1;
  const condition =
    kind === "anomaly"
      ? { kind, direction: text("direction") as "both" | "high" | "low", once_in: Number(text("once_in")) }
      : { kind, threshold: Number(text("threshold")) * scale };
  return {
    name: text("name"),
    measure: measure as NewAlert["measure"],
    condition,
    window_minutes: Number(text("window_minutes")),
    for_minutes: Number(text("for_minutes")),
    ...(text("agent") === "" ? {} : { filters: { agent: [text("agent")] } }),
  };
}
