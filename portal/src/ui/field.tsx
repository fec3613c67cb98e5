import { clsx } from "clsx";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface FieldParts {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with it, and how to put it right. */
  readonly fault?: string | null;
  readonly className?: string;
}

const box =
  "w-full rounded-md border border-line-strong bg-raised px-3 py-2 text-sm text-ink placeholder:text-muted aria-invalid:border-bad pointer-coarse:min-h-11";

/** Hint and fault below a field, tied to it for those who do not see. */
function useNotes({ hint, fault }: FieldParts) {
  const id = useId();
  const notes = [hint ? `${id}-hint` : null, fault ? `${id}-fault` : null].filter(Boolean).join(" ");
  return {
    id,
    aria: {
      id,
      "aria-invalid": fault ? true : undefined,
      "aria-describedby": notes === "" ? undefined : notes,
    } as const,
  };
}

function Framed({ id, label, hint, fault, className, children }: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className={clsx("grid content-start gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      ) : null}
      {fault ? (
        <p id={`${id}-fault`} role="alert" className="text-sm text-bad">
          {fault}
        </p>
      ) : null}
    </div>
  );
}

export function Field({
  label,
  hint,
  fault,
  className,
  ...rest
}: FieldParts & InputHTMLAttributes<HTMLInputElement> & { ref?: React.Ref<HTMLInputElement> }) {
  const { id, aria } = useNotes({ label, hint, fault });
  return (
    <Framed id={id} label={label} hint={hint} fault={fault} className={className}>
      <input {...aria} className={box} {...rest} />
    </Framed>
  );
}

export function TextArea({
  label,
  hint,
  fault,
  className,
  mono = false,
  ...rest
}: FieldParts &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { mono?: boolean; ref?: React.Ref<HTMLTextAreaElement> }) {
  const { id, aria } = useNotes({ label, hint, fault });
  return (
    <Framed id={id} label={label} hint={hint} fault={fault} className={className}>
      <textarea {...aria} rows={4} className={clsx(box, mono && "font-mono text-[0.8125rem]")} {...rest} />
    </Framed>
  );
}

export function Select({
  label,
  hint,
  fault,
  className,
  children,
  ...rest
}: FieldParts & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, aria } = useNotes({ label, hint, fault });
  return (
    <Framed id={id} label={label} hint={hint} fault={fault} className={className}>
      <select {...aria} className={box} {...rest}>
        {children}
      </select>
    </Framed>
  );
}

/** A choice of a filter: several words of which some are on. */
export function Chips({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string;
  options: readonly (readonly [value: string, word: string])[];
  chosen: readonly string[];
  onChange: (next: string[]) => void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([value, word]) => {
        const on = chosen.includes(value);
        return (
          <button
            key={value}
            type="button"
            aria-pressed={on}
            onClick={() => onChange(on ? chosen.filter((each) => each !== value) : [...chosen, value])}
            className={clsx(
              "rounded-full border px-3 py-1 text-sm pointer-coarse:min-h-11",
              on
                ? "border-accent bg-accent-soft font-medium text-accent"
                : "border-line-strong/60 text-muted hover:text-ink",
            )}
          >
            {word}
          </button>
        );
      })}
    </fieldset>
  );
}
