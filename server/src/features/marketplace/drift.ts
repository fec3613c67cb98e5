import type { InstallPart, InstallSummary } from "./install-schemas.ts";
import type { StoredPart } from "./install-store.ts";
import type { PlacedPart, Standings } from "./standing-store.ts";

type PartDrift = InstallPart["drift"];

/** The parts of an install with its agent. */
export const placed = (parts: readonly StoredPart[], agent: string | null): (StoredPart & PlacedPart)[] =>
  parts.map((part) => ({ ...part, agent }));

/** Whether a part still is what it was right after it was made. One that failed or was removed is missing. */
export function partDrift(part: StoredPart & PlacedPart, standings: Standings): PartDrift {
  const now = part.state === "failed" || part.state === "removed" ? null : standings(part);
  if (now === null) return "missing";
  if (part.stands === null) return "unknown";
  return now === part.stands ? "none" : "changed";
}

/** Whether some part of an install is not as installed any more. What failed or was removed tells the install's state. */
export function driftOf(parts: readonly Pick<InstallPart, "state" | "drift">[]): InstallSummary["drift"] {
  const drifts = parts.filter(({ state }) => state === "made" || state === "kept").map(({ drift }) => drift);
  if (drifts.some((drift) => drift === "changed" || drift === "missing")) return "changed";
  return drifts.includes("unknown") ? "unknown" : "none";
}
