import path from "node:path";
import type { Selection } from "./source.ts";

/** Whether a path, without a slash at its beginning, is asked for. */
export function isSelected(place: string, { include, exclude }: Selection): boolean {
  const matches = (pattern: string): boolean => path.posix.matchesGlob(place, pattern.replace(/^\//, ""));
  return (include === undefined || include.length === 0 || include.some(matches)) && !exclude?.some(matches);
}
