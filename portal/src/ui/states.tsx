import { clsx } from "clsx";
import type { ReactNode } from "react";
import { asProblem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { CodeBlock, CopyText } from "./code.tsx";

/** Nothing is here yet: says what would be, and how to make the first one, with a command to copy. */
export function EmptyState({
  title,
  children,
  command,
  action,
}: {
  title: string;
  children: ReactNode;
  command?: string;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <EmptyMark />
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="max-w-prose text-sm text-muted">{children}</div>
      {command ? <CodeBlock code={command} label="Command" className="w-full max-w-2xl text-left" /> : null}
      {action}
    </div>
  );
}

/** A list of which filters leave nothing. `children`: the link that takes them off. */
export function NothingFits({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const action = <span className="font-medium text-accent [&>a]:underline [&>a]:underline-offset-2">{children}</span>;
  return (
    <EmptyState title={title} action={action}>
      Change or clear the filters.
    </EmptyState>
  );
}

/** An empty scale: the portal's own mark, with nothing measured on it. */
function EmptyMark() {
  return (
    <svg
      viewBox="0 0 96 40"
      className="h-10 w-24 text-line-strong"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
    >
      <path d="M6 27h84" strokeWidth="2" />
      <path d="M6 22v10M27 24v6M48 22v10M69 24v6M90 22v10" strokeWidth="1.5" opacity=".6" />
      <rect x="36" y="12" width="24" height="7" rx="3.5" strokeWidth="1.5" strokeDasharray="3 3" />
    </svg>
  );
}

/** What went wrong, in the service's own words: what, why, what to do, and the audit reference under which it is recorded. */
export function ErrorState({
  error,
  onRetry,
  className,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly className?: string;
}) {
  const problem = asProblem(error);
  return (
    <div
      role="alert"
      className={clsx("rounded-lg border border-bad/40 bg-bad-soft p-4 text-sm text-ink sm:p-5", className)}
    >
      <p className="font-semibold text-bad">{problem.title}</p>
      <p className="mt-1 max-w-prose">{problem.detail}</p>
      {problem.faults.length > 0 ? (
        <ul className="mt-2 grid gap-1">
          {problem.faults.map((fault) => (
            <li key={`${fault.pointer ?? fault.parameter ?? fault.header}${fault.detail}`}>
              <code className="id font-semibold">{fault.pointer ?? fault.parameter ?? fault.header ?? ""}</code>{" "}
              {fault.detail}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {onRetry ? (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {problem.help ? (
          <a className="font-medium text-accent underline underline-offset-2" href={problem.help}>
            Cause and fix
          </a>
        ) : null}
        {problem.auditRef ? (
          <span className="flex items-center gap-1">
            Recorded as <CopyText text={problem.auditRef} label="audit reference" />
          </span>
        ) : null}
      </div>
    </div>
  );
}

/** The place of something that is on its way. */
export function Skeleton({ className, lines = 1 }: { readonly className?: string; readonly lines?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-2.5">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <div
          key={line}
          className={clsx(
            "animate-pulse rounded bg-line/70",
            className ?? "h-4",
            line === lines - 1 && lines > 1 && "w-2/3",
          )}
        />
      ))}
    </div>
  );
}

/** Something that has to be seen, in the flow of the page. */
export function Notice({
  tone = "info",
  children,
  live = false,
}: {
  tone?: "info" | "good" | "warn" | "bad";
  children: ReactNode;
  live?: boolean;
}) {
  const look = {
    info: "border-info/40 bg-info-soft",
    good: "border-good/40 bg-good-soft",
    warn: "border-warn/40 bg-warn-soft",
    bad: "border-bad/40 bg-bad-soft",
  }[tone];
  return (
    <div
      role={live ? "status" : undefined}
      className={clsx("rounded-lg border px-4 py-3 text-sm wrap-anywhere text-ink", look)}
    >
      {children}
    </div>
  );
}
