import { createHash } from "node:crypto";
import type { Finding } from "./findings.ts";
import { ruleIds, rules } from "./rules.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** A log in SARIF 2.1.0, as JSON. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: "2.1.0";
  readonly runs: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Findings as a SARIF 2.1.0 log. `toolVersion` is the version of the scan (semver); `digests` are the SHA-256 of the bundle's files by path, in hexadecimal.
 * Every rule is described, found or not. A result's fingerprint stays when lines move: it is made of rule, path, snippet and a count of such results.
 */
export function toSarif(
  findings: readonly Finding[],
  { toolVersion, digests }: { readonly toolVersion: string; readonly digests: ReadonlyMap<string, string> },
): SarifLog {
  const paths = [...new Set([...digests.keys(), ...findings.map(({ path }) => path)])].sort();
  const indexes = new Map(paths.map((path, index) => [path, index]));
  const driver = {
    name: "aos-bundle-scan",
    semanticVersion: toolVersion,
    informationUri: "https://aos.example/docs/marketplace",
    rules: ruleIds.map(ruleOf),
  };
  const artifacts = paths.map((path) => {
    const digest = digests.get(path);
    return { location: { uri: encodeURI(path) }, ...(digest !== undefined && { hashes: { "sha-256": digest } }) };
  });
  const counts = new Map<string, number>();
  const results = findings.map((finding) => resultOf(finding, indexes, counts));
  const run = { tool: { driver }, artifacts, results, columnKind: "unicodeCodePoints" };
  return { $schema: SCHEMA, version: "2.1.0", runs: [run] };
}

function ruleOf(id: (typeof ruleIds)[number]) {
  const { title, level, severity, why, remedy } = rules[id];
  const name = id.replace(/(?:^|[.-])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  const family = id.slice(0, id.indexOf("."));
  return {
    id,
    name,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: why },
    help: { text: remedy },
    defaultConfiguration: { level },
    properties: { "security-severity": severity.toFixed(1), tags: ["security", family] },
  };
}

function resultOf(finding: Finding, indexes: ReadonlyMap<string, number>, counts: Map<string, number>) {
  const { rule, level, path, line, column, message, snippet } = finding;
  const place = `${rule}\n${path}\n${snippet}`;
  const count = (counts.get(place) ?? 0) + 1;
  counts.set(place, count);
  const region = { startLine: line, startColumn: column, ...(snippet !== "" && { snippet: { text: snippet } }) };
  const artifactLocation = { uri: encodeURI(path), index: indexes.get(path)! };
  return {
    ruleId: rule,
    ruleIndex: ruleIds.indexOf(rule),
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    partialFingerprints: { "findingHash/v1": createHash("sha256").update(`${place}\n${count}`).digest("hex") },
  };
}
