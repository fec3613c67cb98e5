import { placed } from "./drift.ts";
import { listPartsElsewhere, type StoredPart, type WrittenInstall } from "./install-store.ts";
import type { Here } from "./listing-store.ts";
import { partKey } from "./plan.ts";
import { readStandings } from "./standing-store.ts";

/**
 * The parts of an install with what they are now, where that is not known yet. A part that an install in another environment made may have been changed since: it
 * stands as it did there.
 */
export async function withStandings(ctx: Here, install: WrittenInstall): Promise<StoredPart[]> {
  const { parts, agent } = install;
  const unknown = placed(parts, agent).filter(({ state, stands }) => stands === null && state !== "failed");
  if (unknown.length === 0) return [...parts];
  const standings = await readStandings(ctx, unknown);
  const elsewhere = unknown.some(({ state }) => state === "kept") ? await listPartsElsewhere(ctx, install) : [];
  const kept = new Map(elsewhere.map((part) => [partKey(part), part.stands]));
  const known = new Map(
    unknown.map((part) => {
      const before = part.state === "kept" ? kept.get(partKey(part)) : undefined;
      return [partKey(part), before ?? standings(part)];
    }),
  );
  return parts.map((part) => ({ ...part, stands: part.stands ?? known.get(partKey(part)) ?? null }));
}
