import type { ListingState } from "./words.ts";

/** `1.10.0` as numbers, by which versions are ordered. */
export const versionNumbers = (version: string): number[] => version.split(".").map(Number);

/** Which version comes first: negative where `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
}

/** What of a version decides how its listing stands. */
export interface VersionStanding {
  readonly version: string;
  readonly state: ListingState;
}

/** How a listing stands, by its versions, of which there is at least one: the newest approved is shown, and where none is, the newest. */
export function standingOf(versions: readonly VersionStanding[]): { state: ListingState; shown: string } {
  const newestFirst = [...versions].sort((a, b) => compareVersions(b.version, a.version));
  const shown = newestFirst.find(({ state }) => state === "approved") ?? (newestFirst[0] as VersionStanding);
  return { state: shown.state, shown: shown.version };
}
