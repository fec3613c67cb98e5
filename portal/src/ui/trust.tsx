import { clsx } from "clsx";
import { percent, spoken } from "../lib/words.ts";

export interface TrustShown {
  readonly score: number;
  /** The interval in which the true share of good outcomes lies, 0 to 1. */
  readonly low: number;
  readonly high: number;
  /** What moves the score, in log-odds: above 0 raises it. */
  readonly parts?: Readonly<Record<string, number>>;
}

const tone = (score: number): string => (score >= 0.75 ? "text-good" : score >= 0.45 ? "text-warn" : "text-bad");

interface TrustMeterProps extends TrustShown {
  readonly large?: boolean;
  /** What it says to those who do not see it, where it is another share than trust. */
  readonly label?: string;
}

/** How far it can be trusted: the score as a mark on a scale, its interval as a band. In a list small; `large` with the figures below. */
export function TrustMeter({ score, low, high, large = false, label: given }: TrustMeterProps) {
  const x = (share: number): number => 4 + share * 192;
  const label = given ?? `Trust ${percent(score)}, between ${percent(low)} and ${percent(high)}`;
  const picture = (
    <svg
      viewBox={large ? "0 0 200 26" : "0 0 200 22"}
      role="img"
      aria-label={label}
      className={clsx("shrink-0", large ? "w-full" : "w-20", tone(score))}
    >
      <title>{label}</title>
      <line
        x1="4"
        x2="196"
        y1="11"
        y2="11"
        className="stroke-line-strong"
        strokeOpacity="0.55"
        strokeWidth={large ? 1.5 : 3}
        strokeLinecap="round"
      />
      <rect
        x={x(low)}
        width={Math.max(x(high) - x(low), 4)}
        y={large ? 6 : 4}
        height={large ? 10 : 14}
        rx={large ? 5 : 7}
        fill="currentColor"
        opacity="0.3"
      />
      <line
        x1={x(score)}
        x2={x(score)}
        y1={large ? 2 : 1}
        y2={large ? 20 : 21}
        stroke="currentColor"
        strokeWidth={large ? 3 : 7}
        strokeLinecap="round"
      />
      {large
        ? [0, 0.25, 0.5, 0.75, 1].map((mark) => (
            <line key={mark} x1={x(mark)} x2={x(mark)} y1="22" y2="25" className="stroke-line-strong" strokeWidth="1" />
          ))
        : null}
    </svg>
  );
  if (!large) {
    return (
      <span className="inline-flex items-center gap-2">
        {picture}
        <span aria-hidden="true" className="text-sm">
          {percent(score)}
        </span>
      </span>
    );
  }
  return (
    <div>
      <p className="flex items-baseline gap-2" aria-hidden="true">
        <span className={clsx("text-3xl font-semibold tracking-tight", tone(score))}>{percent(score)}</span>
        <span className="text-sm text-muted">
          between {percent(low)} and {percent(high)}
        </span>
      </p>
      <div className="mt-2">{picture}</div>
      <div aria-hidden="true" className="flex justify-between text-2xs text-muted">
        <span>0 %</span>
        <span>50 %</span>
        <span>100 %</span>
      </div>
    </div>
  );
}

const partWords: Readonly<Record<string, string>> = {
  base: "Level of the skill",
  drift: "Change over the weeks",
  probability: "Model's probability",
  findings: "Findings",
  ungrounded: "Ungrounded",
  novelty: "Unlike the examples",
  injection: "Suspected injection",
};

/** What moves the score, as bars to the left (lowers) and right (raises) of a middle line. */
export function TrustParts({ parts }: { readonly parts: Readonly<Record<string, number>> }) {
  const entries = Object.entries(parts).filter(([, value]) => typeof value === "number" && Math.abs(value) >= 0.005);
  const most = Math.max(1, ...entries.map(([, value]) => Math.abs(value)));
  if (entries.length === 0)
    return (
      <p className="text-sm text-muted">
        Nothing was judged yet and the model gives no probability, so the score is neutral.
      </p>
    );
  return (
    <ul className="grid gap-1.5 text-sm" aria-label="What moves the score">
      {entries.map(([name, value]) => (
        <li key={name} className="grid grid-cols-[1fr_5rem_3rem] items-center gap-3">
          <span className="truncate">{partWords[name] ?? spoken(name)}</span>
          <svg viewBox="0 0 100 10" aria-hidden="true" className={value >= 0 ? "text-good" : "text-bad"}>
            <line x1="50" x2="50" y1="0" y2="10" className="stroke-line-strong" />
            <rect
              x={value >= 0 ? 50 : 50 + (value / most) * 48}
              width={(Math.abs(value) / most) * 48}
              y="2"
              height="6"
              rx="1.5"
              fill="currentColor"
            />
          </svg>
          <span className="text-right text-muted tabular-nums">
            {value === 0 ? "0" : `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
