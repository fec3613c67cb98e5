import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { asProblem } from "../api/problem.ts";
import { type Tone, tones } from "./badge.tsx";
import { IconButton } from "./button.tsx";

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly content: ReactNode;
}

let toasts: readonly Toast[] = [];
let last = 0;
const watchers = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const each of watchers) each();
}

/** Says something in the corner; what is good news goes after 6 s, what is not stays until it is closed. */
export function toast(content: ReactNode, tone: Tone = "good"): void {
  last += 1;
  const id = last;
  change([...toasts.slice(-3), { id, tone, content }]);
  if (tone !== "bad" && tone !== "warn") setTimeout(() => dismiss(id), 6000);
}

/** Says that something was done, and what the service warned of. */
export function toastWarned(done: string, warnings: readonly { readonly detail: string }[]): void {
  if (warnings.length === 0) toast(done);
  else toast([done, ...warnings.map(({ detail }) => detail)].join(" "), "warn");
}

/** Says in the corner why something did not work. */
export function toastProblem(error: unknown): void {
  const problem = asProblem(error);
  toast(
    <>
      <strong className="font-semibold">{problem.title}.</strong> {problem.detail}
    </>,
    "bad",
  );
}

const dismiss = (id: number): void => change(toasts.filter((each) => each.id !== id));

export function Toasts() {
  const shown = useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => toasts,
  );
  return (
    <div
      role="status"
      aria-label="Messages"
      className="pointer-events-none fixed right-4 bottom-20 left-4 z-50 grid justify-items-end gap-2 lg:bottom-4"
    >
      {shown.map(({ id, tone, content }) => (
        <div
          key={id}
          className={clsx(
            "pointer-events-auto flex w-full max-w-md items-start gap-2 rounded-lg border p-1 pl-4 text-sm shadow-float",
            tones[tone],
          )}
        >
          <p className="min-w-0 flex-1 py-2 break-words text-ink">{content}</p>
          <IconButton label="Close message" onClick={() => dismiss(id)}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
