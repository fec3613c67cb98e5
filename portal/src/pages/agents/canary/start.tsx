import { Field, Select } from "../../../ui/field.tsx";

/** The rule of a canary and its share, as a form's fields. */
export function CanaryFields() {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="sr-only">Canary</legend>
      <Field
        name="share"
        label="Percent of new tasks"
        type="number"
        min={1}
        max={99}
        step={1}
        required
        defaultValue={10}
      />
      <Select name="promote" label="Who promotes it" hint="A worse one is aborted by the service in any case.">
        <option value="by_rule">the service, where it is no worse</option>
        <option value="by_hand">a person</option>
      </Select>
      <Field
        name="tolerance"
        label="Tolerance, points"
        type="number"
        min={1}
        max={50}
        step={1}
        required
        defaultValue={5}
        hint="A drop that still counts as no worse."
      />
      <Field
        name="most_judged"
        label="Decide by judged tasks"
        type="number"
        min={50}
        max={100000}
        step={1}
        required
        defaultValue={1000}
      />
      <Field
        name="least_hours"
        label="At least hours"
        type="number"
        min={0}
        max={2000}
        required
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
      <Field
        name="share"
        label="Percent of tasks"
        type="number"
        min={1}
        max={100}
        step={1}
        required
        defaultValue={100}
      />
      <Field name="cost_usd" label="At most, USD" type="number" min={0} step="any" required defaultValue={5} />
      <Field name="tasks" label="At most tasks" type="number" min={1} max={1_000_000} required defaultValue={1000} />
    </fieldset>
  );
}

/** What such a form says, as the interface takes it. */
export function shadowOf(form: FormData) {
  const number = (name: string): number => Number(form.get(name));
  return {
    mode: "shadow" as const,
    share: number("share"),
    budget: { cost_usd: number("cost_usd"), tasks: number("tasks") },
  };
}

/** What such a form says, as the interface takes it. */
export function canaryOf(form: FormData) {
  const number = (name: string): number => Number(form.get(name));
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
