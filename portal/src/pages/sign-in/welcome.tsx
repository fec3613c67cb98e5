import type { ReactNode } from "react";
import { Mark } from "../../layouts/rail.tsx";

/** The frame of the pages for who is not signed in yet. */
export function Entry({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="grid min-h-dvh max-lg:grid-rows-[auto_1fr] lg:grid-cols-[minmax(20rem,2fr)_3fr]">
      <Welcome />
      <main className="grid content-center justify-items-center px-5 py-12">
        <div className="w-full max-w-sm">
          <h1 id="page-title" tabIndex={-1} className="text-2xl font-semibold tracking-tight">
            {title}
          </h1>
          {children}
        </div>
      </main>
    </div>
  );
}

/** What this is, for who sees it for the first time. */
function Welcome() {
  return (
    <header className="on-rail flex flex-col justify-between gap-10 bg-rail px-6 py-6 text-rail-ink lg:px-10 lg:py-10">
      <Mark />
      <div className="max-lg:hidden">
        <p className="text-3xl leading-snug font-semibold tracking-tight text-balance">
          Every call governed, every answer provable.
        </p>
        <p className="mt-4 max-w-sm text-rail-muted">
          See what agents do, decide what needs a person, and prove what happened.
        </p>
      </div>
      <Scale />
    </header>
  );
}

/** The mark at large: scores with their intervals on scales. */
function Scale() {
  const rows = [
    { low: 0.55, score: 0.71, high: 0.83 },
    { low: 0.78, score: 0.9, high: 0.95 },
    { low: 0.2, score: 0.46, high: 0.68 },
    { low: 0.66, score: 0.79, high: 0.88 },
  ];
  return (
    <svg viewBox="0 0 320 120" aria-hidden="true" className="hidden w-full max-w-sm lg:block" strokeLinecap="round">
      {rows.map(({ low, score, high }, row) => (
        <g key={score} transform={`translate(0 ${16 + row * 28})`}>
          <line x1="4" x2="316" y1="0" y2="0" stroke="#7fa497" strokeOpacity="0.35" strokeWidth="1.5" />
          <rect
            x={4 + low * 312}
            width={(high - low) * 312}
            y="-5"
            height="10"
            rx="5"
            fill="#f2b84b"
            opacity={row === 2 ? 0.55 : 0.9}
          />
          <line x1={4 + score * 312} x2={4 + score * 312} y1="-10" y2="10" stroke="#fdfcf7" strokeWidth="3" />
        </g>
      ))}
    </svg>
  );
}
