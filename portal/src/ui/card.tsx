import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

export interface CardProps {
  readonly title?: ReactNode;
  /** Beside the title, at the right. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Without room around the content: for tables and lists that reach the edge. */
  readonly flush?: boolean;
}

/** A part of a page that belongs together, named by its heading. */
export function Card({ title, aside, children, className, flush = false }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={clsx("rounded-lg border border-line bg-surface shadow-card", className)}
    >
      {title ? (
        <div
          className={clsx(
            "flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-3 sm:px-5",
            flush && "border-b border-line pb-3",
          )}
        >
          <h2 id={id} className="text-sm font-semibold">
            {title}
          </h2>
          {aside}
        </div>
      ) : null}
      <div className={flush ? undefined : clsx("px-4 pb-4 sm:px-5 sm:pb-5", title ? "pt-1.5" : "pt-4 sm:pt-5")}>
        {children}
      </div>
    </section>
  );
}

/** Names and what they stand for, side by side where there is room. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode] | false | null)[];
}) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-5 gap-y-2 text-sm">
      {facts
        .filter((fact) => fact !== false && fact !== null)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The head of a page: what it is about, and what can be done here. The title takes the focus after a change of page. */
export function PageHead({
  title,
  lead,
  actions,
  above,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
}) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:mb-6">
      <div className="min-w-0 flex-1 basis-72">
        {above ? <div className="mb-2 flex flex-wrap items-center gap-2 text-sm text-muted">{above}</div> : null}
        <h1
          id="page-title"
          tabIndex={-1}
          className="text-2xl leading-tight font-semibold tracking-tight break-words sm:text-[1.75rem]"
        >
          {title}
        </h1>
        {lead ? <div className="mt-1.5 max-w-3xl text-muted">{lead}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
