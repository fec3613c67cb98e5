import type { ComponentProps } from "react";
import { Field, Select } from "../../../ui/field.tsx";

const NumberField = (props: Omit<ComponentProps<typeof Field>, "type" | "required">) => (
  <Field {...props} type="number" required />
);

/** The rule of a canary and its share, as a form's fields. */
export function CanaryFields() {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="sr-only">Canary</legend>
      <NumberField name="share" label="Percent of new tasks" min={1} max={99} step={1} defaultValue={10} />
      <Select name="promote" label="Who promotes it" hint="A worse one is aborted by the service in any case.">
        <option value="by_rule">the service, where it is no worse</option>
        <option value="by_hand">a person</option>
      </Select>
      <NumberField
        name="tolerance"
        label="Tolerance, points"
        min={1}
        max={50}
        step={1}
        defaultValue={5}
        hint="A drop that still counts as no worse."
      />
      <NumberField
        name="most_judged"
        label="Decide by judged tasks"
        min={50}
        max={100_000}
        step={1}
        defaultValue={1000}
      />
      <NumberField
        name="least_hours"
        label="At least hours"
        min={0}
        max={2000}
        defaultValue={0}
        hint="It is not promoted by rule before."
      />
      <Select name="on_limit" label="Where that decides nothing">
        <option value="hold">go on until a person decides</option>
        <option value="promote">promote</option>
        <option value="abort">abort</option>
      </Select>
    </fieldset>
  );
}

/** What a shadow takes part in and may use, as a form's fields. */
export function ShadowFields() {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-3">
      <legend className="sr-only">Shadow</legend>
      <NumberField name="share" label="Percent of tasks" min={1} max={100} step={1} defaultValue={100} />
      <NumberField name="cost_usd" label="At most, USD" min={0} step="any" defaultValue={5} />
      <NumberField name="tasks" label="At most tasks" min={1} max={1_000_000} defaultValue={1000} />
    </fieldset>
  );
}

/** Reads a form's fields as numbers. */
const numbersOf =
  (form: FormData) =>
  (name: string): number =>
    Number(form.get(name));

/** What such a form says, as the interface takes it. */
export function shadowOf(form: FormData) {
  const number = numbersOf(form);
  return {
    mode: "shadow" as const,
    share: number("share"),
    budget: { cost_usd: number("cost_usd"), tasks: number("tasks") },
  };
}

/** What such a form says, as the interface takes it. */
export function canaryOf(form: FormData) {
  const number = numbersOf(form);
  return {
    mode: "canary" as const,
    share: number("share"),
    rule: {
      promote: String(form.get("promote")) as "by_rule" | "by_hand",
      tolerance: number("tolerance") / 100,
      most_judged: number("most_judged"),
      least_hours: number("least_hours"),
      on_limit: String(form.get("on_limit")) as "hold" | "promote" | "abort",
    },
  };
}
