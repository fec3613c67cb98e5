import type { Listing, ListingPermission, ScanCounts, Scorecard } from "../../api/marketplace.ts";
import { counted } from "../../lib/words.ts";

export const kindWords: Readonly<Record<Listing["kind"], string>> = {
  agent: "Agent",
  workflow: "Workflow",
  tool_set: "Tools",
  policy_pack: "Policies",
  dataset: "Dataset",
  scorer: "Scorer",
};

export const originWords: Readonly<Record<Listing["origin"], string>> = {
  own: "Own work",
  imported: "Imported",
  starter: "Starter",
};

/** Kinds of parts, as people name them. */
export const partWords: Readonly<Record<string, string>> = {
  knowledge_base: "Knowledge base",
  documents: "Documents",
  agent: "Agent",
  agent_version: "Version of the agent",
  tool: "Tool",
  dataset: "Dataset",
  scorer: "Scorer",
  gate: "Gate",
  policy: "Policy",
  workflow: "Workflow",
};

/** Levels of permissions, what deserves most care first. */
export const levels: readonly {
  readonly level: ListingPermission["level"];
  readonly title: string;
  readonly tone: "bad" | "warn" | "neutral";
}[] = [
  { level: "high", title: "Look closely", tone: "bad" },
  { level: "elevated", title: "Worth knowing", tone: "warn" },
  { level: "low", title: "Ordinary", tone: "neutral" },
];

/** `customer support` → `Customer support`. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A score or share, as scorecards say it. */
export const scoreText = (value: number): string => value.toFixed(2);

/** What a scan found, in a few words. */
export function scanText({ error, warning, note }: ScanCounts): string {
  const found = [
    ...(error > 0 ? [counted(error, "error")] : []),
    ...(warning > 0 ? [counted(warning, "warning")] : []),
    ...(note > 0 ? [counted(note, "note")] : []),
  ];
  return found.length === 0 ? "nothing found" : found.join(", ");
}

export const scanTone = ({ error, warning }: ScanCounts): "bad" | "warn" | "neutral" =>
  error > 0 ? "bad" : warning > 0 ? "warn" : "neutral";

/** The first result of a scorecard with the dataset it was measured on; null: it has none. */
export function mainResult(scorecard: Scorecard | null) {
  const result = scorecard?.results[0];
  if (scorecard === null || result === undefined) return null;
  return { result, dataset: scorecard.datasets.find(({ name }) => name === result.dataset) ?? null };
}

/** How many of each level, what deserves most care first: `1 high, 2 elevated`. */
export function levelsText(permissions: readonly ListingPermission[]): string {
  const counts = levels
    .map(({ level }) => [level, permissions.filter((one) => one.level === level).length] as const)
    .filter(([, count]) => count > 0);
  return counts.length === 0 ? "nothing" : counts.map(([level, count]) => `${count} ${level}`).join(", ");
}

/** `1.2.0` → `1.3.0`: what the next version is likely to be called. */
export function nextVersion(version: string): string {
  const [major = "1", minor = "0"] = version.split(".");
  return `${major}.${Number(minor) + 1}.0`;
}
