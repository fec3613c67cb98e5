import { useSyncExternalStore } from "react";

const query = matchMedia("(min-width: 68rem)");

/** Whether there is room for an approval beside the list. */
export const useWide = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => query.matches,
  );
