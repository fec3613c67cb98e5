import type { ListingState } from "../schema-words.ts";

/** `1.10.0` as numbers. */
export const versionNumbers = (version: string): number[] => version.split(".").map(Number);

/** Negative if `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
}

/** What a listing's state depends on. */
interface ListedVersion {
  readonly version: string;
  readonly state: ListingState;
}

/** The newest approved version is shown, or the newest if none is. There is at least one. */
export function listingStateOf(versions: readonly ListedVersion[]): { state: ListingState; shown: string } {
  const newestFirst = [...versions].sort((a, b) => compareVersions(b.version, a.version));
  const shown = newestFirst.find(({ state }) => state === "approved") ?? (newestFirst[0] as ListedVersion);
  return { state: shown.state, shown: shown.version };
}
