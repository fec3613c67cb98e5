import { useMedia } from "../../ui/media.ts";

/** Whether there is room for an approval beside the list. */
export const useWide = (): boolean => useMedia("(min-width: 68rem)");
