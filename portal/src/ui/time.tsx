import { useSyncExternalStore } from "react";
import { ago, exactly } from "../lib/time.ts";

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all: it ticks every 15 s, while something shows a time. */
function watch(changed: () => void): () => void {
  watchers.add(changed);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, 15_000);
  return () => {
    watchers.delete(changed);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** How long ago, or how long still; exactly on hovering. */
export function RelativeTime({ time, className }: { readonly time: string | null; readonly className?: string }) {
  const at = useSyncExternalStore(watch, () => now);
  if (time === null) return <span className={className}>never</span>;
  return (
    <time dateTime={time} title={exactly(time)} className={className}>
      {ago(time, Math.max(at, Date.now() - 15_000))}
    </time>
  );
}
