export interface Change {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One member that differs: what it was, and what it is. */
export function ChangeRow({ change }: { readonly change: Change }) {
  const said = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 1));
  return (
    <li className="overflow-hidden rounded-md border border-line">
      <p className="border-b border-line bg-sunken px-3 py-1.5">
        <code className="id">{change.pointer}</code>
      </p>
      {change.before === undefined ? null : (
        <p className="bg-bad-soft px-3 py-1.5 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
          <span className="sr-only">Before: </span>
          <span aria-hidden="true">− </span>
          {said(change.before)}
        </p>
      )}
      {change.after === undefined ? null : (
        <p className="bg-good-soft px-3 py-1.5 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
          <span className="sr-only">After: </span>
          <span aria-hidden="true">+ </span>
          {said(change.after)}
        </p>
      )}
    </li>
  );
}
