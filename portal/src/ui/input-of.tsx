import type { InputField } from "../lib/input-form.ts";
import { Field, Select, TextArea } from "./field.tsx";

/** A field of a form that is made from an input's schema. */
export function InputOf({ field, fault }: { readonly field: InputField; readonly fault: string | null }) {
  const common = { name: field.name, label: field.name, hint: field.hint, fault, required: field.required };
  if (field.choices)
    return (
      <Select {...common}>
        {field.required ? null : <option value="">–</option>}
        {field.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </Select>
    );
  if (field.kind === "json") return <TextArea {...common} mono rows={4} spellCheck={false} placeholder="JSON" />;
  if (field.long) return <TextArea {...common} rows={4} />;
  return (
    <Field {...common} type={field.kind === "number" ? "number" : "text"} step="any" placeholder={field.example} />
  );
}
