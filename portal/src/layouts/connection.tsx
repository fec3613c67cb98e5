import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { askingAgain, askWhetherBack, isLost, watchConnection } from "../api/connection.ts";
import { useRefusal } from "../api/refusal.ts";
import { exactly } from "../lib/time.ts";

/** That what is shown is old, and why: for as long as no answer comes, or the service refuses to read it again. */
export function ConnectionNotice() {
  const lost = useSyncExternalStore(watchConnection, isLost);
  const refusal = useRefusal();
  useRenewal(lost || refusal?.passing === true);
  const text = lost
    ? "Connection lost. This page may be out of date; it refreshes when the service responds."
    : refusal && `This page was last updated at ${exactly(refusal.since)}. The service responded: ${refusal.detail}`;
  return (
    <div role="status">
      {text ? (
        <p className="border-b border-warn/40 bg-warn-soft px-4 py-2 text-center text-sm text-warn">{text}</p>
      ) : null}
    </div>
  );
}

/** While something is out of order, asks every 2 s whether the service is ready, and while it is, ever more rarely for what was refused; then all that is shown is read again. */
function useRenewal(out: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!out) return;
    const refused = { predicate: ({ state }: Query) => state.status === "error" };
    const isTime = askingAgain();
    const ask = async (): Promise<void> => {
      // A slow answer is awaited, and not asked for again each time.
      if (isTime(await askWhetherBack())) await queryClient.invalidateQueries(refused, { cancelRefetch: false });
    };
    const timer = setInterval(() => void ask(), 2000);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [out, queryClient]);
}
