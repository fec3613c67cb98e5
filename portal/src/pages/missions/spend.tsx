import { clsx } from "clsx";
import type { MissionSpend } from "../../api/missions.ts";
import { counted, usd } from "../../lib/words.ts";
import { Card, Facts } from "../../ui/card.tsx";

interface BarProps {
  readonly parts: readonly (readonly [amount: number, className: string])[];
  readonly of: number;
  readonly label: string;
  readonly className?: string;
}

/** Parts of a whole, one beside the other. */
export function Bar({ parts, of, label, className }: BarProps) {
  return (
    <div
      role="img"
      aria-label={label}
      title={label}
      className={clsx("flex h-2 w-full overflow-hidden rounded-full bg-line", className)}
    >
      {parts.map(([amount, colour]) => (
        <div
          key={colour}
          className={colour}
          style={{ width: `${of <= 0 ? 0 : Math.min(100, (amount / of) * 100)}%` }}
        />
      ))}
    </div>
  );
}

interface SpendBarProps extends Pick<BarProps, "label" | "className"> {
  readonly spent: number;
  readonly reserved: number;
  readonly limit: number;
}

/** What is spent and what is held for tasks that run, against the limit. */
export function SpendBar({ spent, reserved, limit, ...rest }: SpendBarProps) {
  const parts = [
    [spent, spent > limit ? "bg-bad" : "bg-accent"],
    [reserved, "bg-accent/40"],
  ] as const;
  return <Bar parts={parts} of={limit} {...rest} />;
}

/** Spend against the budget. */
export function SpendCard({ spend }: { readonly spend: MissionSpend }) {
  const { spent_usd: spent, reserved_usd: reserved, limit_usd: limit, left_usd: left, planned_usd: planned } = spend;
  return (
    <Card title="Spend">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-3xl font-semibold tracking-tight">{usd(spent)}</span>
        <span className="text-sm text-muted">of {usd(limit)}</span>
      </p>
      <SpendBar
        className="my-3"
        spent={spent}
        reserved={reserved}
        limit={limit}
        label={`${usd(spent)} spent and ${usd(reserved)} reserved of ${usd(limit)}`}
      />
      <Facts
        facts={[
          reserved > 0 && ["Reserved", usd(reserved)],
          ["Left", usd(left)],
          planned !== null && ["Planned", usd(planned)],
          ["Tasks", `${spend.used_tasks.toLocaleString("en")} of ${counted(spend.limit_tasks, "task")}`],
        ]}
      />
    </Card>
  );
}
