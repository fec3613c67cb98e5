import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { visible } from "../lib/words.ts";

/** Copies, and says so for a moment. */
function useCopy(text: string): readonly [done: boolean, copy: () => void] {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1600);
  };
  return [done, () => void copy().catch(() => setDone(false))];
}

function CopyButton({ text, label, className }: { text: string; label: string; className?: string }) {
  const [done, copy] = useCopy(text);
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={done ? "Copied" : `Copy ${label}`}
      title={`Copy ${label}`}
      className={clsx(
        "inline-flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-line/60 hover:text-ink pointer-coarse:size-11",
        className,
      )}
    >
      {done ? (
        <Check className="size-4 text-good" aria-hidden="true" />
      ) : (
        <Copy className="size-3.5" aria-hidden="true" />
      )}
      <span className="sr-only" role="status">
        {done ? "Copied" : ""}
      </span>
    </button>
  );
}

/** Program text, as it is, with a button that copies all of it. */
export function CodeBlock({
  code,
  label = "code",
  className,
  wrap = false,
}: {
  code: string;
  label?: string;
  className?: string;
  wrap?: boolean;
}) {
  return (
    <div className={clsx("relative grid grid-cols-[minmax(0,1fr)] rounded-md border border-line bg-sunken", className)}>
      {/* What scrolls has to be reached by keyboard, and so needs a name. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of nothing but text, no fieldset */}
      <div
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        aria-label={label}
        className="max-h-120 overflow-auto py-3 pr-11 pl-4"
      >
        <pre className={clsx("font-mono text-[0.8125rem] leading-relaxed", wrap && "break-all whitespace-pre-wrap")}>
          <code>{visible(code)}</code>
        </pre>
      </div>
      <CopyButton text={code} label={label} className="absolute top-2 right-2" />
    </div>
  );
}

/** An id or a reference: shown whole, copied by its button. */
export function CopyText({
  text,
  label = "id",
  short = false,
}: {
  readonly text: string;
  readonly label?: string;
  readonly short?: boolean;
}) {
  return (
    <span className="inline-flex min-w-0 items-center gap-0.5">
      <code className="id" title={text}>
        {short ? shortened(text) : text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

const shortened = (text: string): string => {
  const start = text.startsWith("sha256:") ? 13 : 6;
  return `${text.slice(0, start)}…${text.slice(-6)}`;
};

/** A digest: its first and last digits, whole on hovering and in the copy. */
export function DigestText({ digest, label = "digest" }: { readonly digest: string; readonly label?: string }) {
  return <CopyText text={digest} label={label} short={digest.length > 20} />;
}

/** Any value as it is, members in their order, foldable. What hides in texts is written out. */
export function JsonView({
  value,
  label = "JSON",
  open = false,
}: {
  readonly value: unknown;
  readonly label?: string;
  readonly open?: boolean;
}) {
  return (
    <details open={open} className="min-w-0 text-sm">
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">{label}</summary>
      <CodeBlock code={JSON.stringify(value, null, 2) ?? "undefined"} label={label} className="mt-1.5" />
    </details>
  );
}

/** The leaves of a value with their paths: an empty list or object is a leaf. */
export function leavesOf(value: unknown, path = ""): readonly (readonly [path: string, value: unknown])[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return [[path, value]];
  return entries.flatMap(([name, item]) =>
    leavesOf(item, path === "" ? name : Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
  );
}

/** A value as a table of its leaves: for people who look rather than read. */
export function ValueTable({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <table aria-label={label} className="w-full table-fixed text-left text-sm">
      <tbody className="divide-y divide-line">
        {leavesOf(value).map(([path, leaf]) => (
          <tr key={path}>
            <th
              scope="row"
              className="w-2/5 max-w-56 py-2 pr-4 align-top font-mono text-[0.8125rem] font-normal break-words text-muted"
            >
              {visible(path || "value")}
            </th>
            <td className="py-2 align-top wrap-anywhere whitespace-pre-wrap">{leafText(leaf)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function leafText(leaf: unknown): string {
  if (typeof leaf === "string") return leaf === "" ? "(empty text)" : visible(leaf);
  return JSON.stringify(leaf) ?? "";
}
