import { clsx } from "clsx";
import type { ReactNode } from "react";
import { type Tone, tones } from "./badge.tsx";
import { RelativeTime } from "./time.tsx";

export interface Moment {
  readonly key: string;
  readonly title: ReactNode;
  readonly time: string | null;
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/** What happened, one under the other, joined by a line. */
export function Timeline({ moments, label }: { readonly moments: readonly Moment[]; readonly label: string }) {
  return (
    <ol aria-label={label} className="grid">
      {moments.map(({ key, title, time, tone = "neutral", icon, children }, index) => (
        <li key={key} className="relative grid grid-cols-[1.75rem_1fr] gap-3 pb-5 last:pb-0">
          {index < moments.length - 1 ? (
            <span aria-hidden="true" className="absolute top-7 bottom-0 left-3.5 -ml-px w-0.5 bg-line" />
          ) : null}
          <span
            aria-hidden="true"
            className={clsx("flex size-7 items-center justify-center rounded-full border", tones[tone])}
          >
            {icon ?? <span className="size-2 rounded-full bg-current" />}
          </span>
          <div className="min-w-0 pt-0.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p className="min-w-0 text-sm font-medium break-words">{title}</p>
              {time ? <RelativeTime time={time} className="text-xs text-muted" /> : null}
            </div>
            {children ? <div className="mt-1.5 text-sm">{children}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
