import { clsx } from "clsx";
import type { ReactNode } from "react";
import { spoken } from "../lib/words.ts";

export const tones = {
  neutral: "bg-sunken text-muted border-line",
  accent: "bg-accent-soft text-accent border-transparent",
  good: "bg-good-soft text-good border-transparent",
  warn: "bg-warn-soft text-warn border-transparent",
  bad: "bg-bad-soft text-bad border-transparent",
  info: "bg-info-soft text-info border-transparent",
};
export type Tone = keyof typeof tones;

/** A word on a coloured background. The colour repeats what the word says, and never says more. */
export function Badge({
  tone = "neutral",
  children,
  className,
  title,
}: {
  tone?: Tone;
  children: ReactNode;
  className?: string;
  title?: string;
}) {
  return (
    <span
      title={title}
      className={clsx(
        "inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

/** States of every kind of thing: of tasks and approvals, versions, deployments, policies, keys, endpoints, deliveries, runs, missions. */
const states: Readonly<Record<string, readonly [tone: Tone, word?: string]>> = {
  queued: ["info"],
  awaiting_approval: ["warn", "Awaiting approval"],
  running: ["accent"],
  input_required: ["warn", "Input required"],
  completed: ["good"],
  failed: ["bad"],
  rejected: ["bad"],
  expired: ["neutral"],
  blocked: ["bad"],
  cancelled: ["neutral"],
  pending: ["warn", "Pending"],
  approved: ["good"],
  changes_requested: ["warn", "Changes requested"],
  superseded: ["neutral", "Replaced"],
  consumed: ["good", "Approved, started"],
  stale: ["bad", "Approved, outdated"],
  draft: ["neutral"],
  active: ["good"],
  shadow: ["info"],
  retired: ["neutral"],
  enforce: ["good"],
  archived: ["neutral"],
  paused: ["warn"],
  live: ["good"],
  revoked: ["bad"],
  valid: ["good"],
  open: ["good"],
  closed: ["bad"],
  inconclusive: ["warn"],
  passed: ["good"],
  missing: ["neutral", "Not evaluated here"],
  enabled: ["good"],
  disabled: ["bad"],
  delivered: ["good"],
  succeeded: ["good"],
  released: ["neutral"],
  engaged: ["bad"],
  parsing: ["accent"],
  indexing: ["accent"],
  indexed: ["good"],
  waiting: ["warn"],
  compensating: ["warn"],
  compensated: ["info"],
  compensation_failed: ["bad"],
  ready: ["info"],
  finished: ["info"],
  proposed: ["info"],
  accepted: ["good"],
  on_track: ["good"],
  at_risk: ["warn"],
  off_track: ["bad"],
  submitted: ["warn", "Waits for review"],
  quarantined: ["bad"],
  recalled: ["bad"],
  withdrawn: ["neutral"],
  installing: ["accent"],
  installed: ["good"],
  incomplete: ["warn"],
  removed: ["neutral"],
};

const moving = new Set(["running", "queued", "parsing", "indexing", "compensating", "installing"]);

export function StatusBadge({ status, className }: { readonly status: string; readonly className?: string }) {
  const [tone, word] = states[status] ?? ["neutral"];
  return (
    <Badge tone={tone} className={className}>
      <span
        aria-hidden="true"
        className={clsx("size-1.5 rounded-full bg-current", moving.has(status) && "animate-pulse")}
      />
      {word ?? spoken(status)}
    </Badge>
  );
}

const risks: Readonly<Record<string, readonly [tone: Tone, bars: number]>> = {
  low: ["good", 1],
  medium: ["info", 2],
  high: ["warn", 3],
  critical: ["bad", 4],
};

/** How much is at stake: a word and one to four bars; with the reasons as a list below where they are given. */
export function RiskBadge({ level, reasons }: { readonly level: string; readonly reasons?: readonly string[] }) {
  const [tone, bars] = risks[level] ?? ["neutral", 0];
  const badge = (
    <Badge tone={tone}>
      <span aria-hidden="true" className="flex items-end gap-px">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={clsx(
              "w-0.75 rounded-xs bg-current",
              ["h-1.5", "h-2", "h-2.5", "h-3"][bar - 1],
              bar > bars && "opacity-25",
            )}
          />
        ))}
      </span>
      {spoken(level)} risk
    </Badge>
  );
  if (reasons === undefined) return badge;
  return (
    <div className="grid justify-items-start gap-2.5">
      {badge}
      <ul className="grid gap-1.5 text-sm">
        {reasons.map((reason) => (
          <li key={reason} className="flex gap-2">
            <span aria-hidden="true" className="mt-2 size-1 shrink-0 rounded-full bg-line-strong" />
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
