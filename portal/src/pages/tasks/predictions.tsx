import type { Schema } from "../../api/types.ts";
import { percent } from "../../lib/words.ts";
import { Card } from "../../ui/card.tsx";

type Predicted = NonNullable<Schema<"Task">["predictions"]>;

/** What the model held possible for each field of the result, as bars, the likeliest first. */
export function Predictions({ predictions }: { readonly predictions: Predicted | null }) {
  const fields = Object.entries(predictions ?? {});
  if (fields.length === 0) return null;
  return (
    <Card title="Predictions">
      <div className="grid gap-4">
        {fields.map(([field, values]) => (
          <Field key={field} field={field} values={values} />
        ))}
      </div>
    </Card>
  );
}

function Field({ field, values }: { readonly field: string; readonly values: Predicted[string] }) {
  return (
    <section aria-label={`Probabilities of ${field}`}>
      <h3 className="mb-1 text-sm text-muted">
        <code className="id">{field}</code>
      </h3>
      <ul className="grid gap-1">
        {values.map(({ value, probability, none }) => (
          <li
            key={none ? "none" : JSON.stringify(value)}
            className="grid grid-cols-[minmax(0,1fr)_6rem_3.5rem] items-center gap-2 text-sm"
          >
            <span className={none ? "truncate text-muted" : "truncate"}>{none ? "none of these" : String(value)}</span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-1.5 w-full text-accent" aria-hidden="true">
              <rect width="100" height="8" className="fill-line" />
              <rect width={probability * 100} height="8" fill="currentColor" opacity={none ? 0.4 : 1} />
            </svg>
            <span className="text-right tabular-nums">{percent(probability)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
