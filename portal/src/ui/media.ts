import { useSyncExternalStore } from "react";

/** Whether a media query holds, as the window changes: `useMedia("(min-width: 700px)")`. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
