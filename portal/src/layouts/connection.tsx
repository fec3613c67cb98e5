import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { askWhetherBack, isLost, watchConnection } from "../api/connection.ts";

/** That the service does not answer, for as long as it does not; asked every 2 s. Once it does, all that is shown is read again. */
export function ConnectionNotice() {
  const lost = useSyncExternalStore(watchConnection, isLost);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => void askWhetherBack(), 2000);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [lost, queryClient]);
  return (
    <div role="status">
      {lost ? (
        <p className="border-b border-warn/40 bg-warn-soft px-4 py-2 text-center text-sm text-warn">
          The connection is lost. What you see may be old; it is renewed as soon as the service answers.
        </p>
      ) : null}
    </div>
  );
}
