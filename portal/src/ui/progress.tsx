import { clsx } from "clsx";

/** How far something is, from 0 to 1; null: that it goes on, and nobody knows how far. */
export function Progress({
  value,
  label,
  tone = "accent",
  className,
}: {
  readonly value: number | null;
  readonly label: string;
  readonly tone?: "accent" | "good" | "bad";
  readonly className?: string;
}) {
  const ground = { accent: "bg-accent", good: "bg-good", bad: "bg-bad" }[tone];
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === null ? undefined : Math.round(value * 100)}
      className={clsx("h-1.5 w-full overflow-hidden rounded-full bg-line", className)}
    >
      <div
        className={clsx("h-full rounded-full transition-[width]", ground, value === null && "w-1/3 animate-pulse")}
        style={value === null ? undefined : { width: value === 0 ? "0" : `${Math.max(2, value * 100)}%` }}
      />
    </div>
  );
}
