import { findConfusables } from "./confusables.ts";
import { checkFile } from "./files.ts";
import { type Finding, Findings, Work } from "./findings.ts";
import { findHidden } from "./hidden.ts";
import { findInjection } from "./injection.ts";
import { findMarkup } from "./markup.ts";
import { findInPolicies } from "./policies.ts";
import { addSensitive, sensitiveIn } from "./secrets.ts";
import { readSource, type Source, type Structure } from "./source.ts";
import { findInTools } from "./tools.ts";

/** What the scan reads of a bundle's manifest, `bundle.json`. */
export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
}

/** The file of each kind that a bundle of another kind has no use for. */
const mainFiles: Readonly<Record<string, RegExp>> = {
  agent: /^agent\.ya?ml$/,
  workflow: /^workflow\.ya?ml$/,
  tool_set: /^tools\.json$/,
  policy_pack: /^policies\//,
  dataset: /^datasets\//,
  scorer: /^scorers\.json$/,
};

/**
 * Scans the files of a bundle by rules alone: no network, no model, nothing is run. `files` are the unpacked files by path, `manifest` the parsed
 * `bundle.json`. Returns findings ordered by path, line and column, at most 20 for each rule in each file. Never throws, whatever the files hold; what cannot
 * be read is a finding. Time is linear in the size of the files.
 */
export function scanBundle(files: ReadonlyMap<string, Uint8Array>, manifest: Manifest): Finding[] {
  return scanCounted(files, manifest, new Work());
}

/** As scanBundle; counts the work. */
export function scanCounted(files: ReadonlyMap<string, Uint8Array>, manifest: Manifest, work: Work): Finding[] {
  const findings = new Findings();
  const structures: Structure[] = [];
  for (const [path, bytes] of files) {
    work.steps += bytes.length;
    checkFile(path, bytes, findings);
    const source = readSource(path, bytes);
    for (const { place, what } of source.faults)
      findings.add({ rule: "file.mismatch", path, ...place, what, snippet: "" });
    scanTexts(source, findings, work);
    if (source.structure) structures.push(source.structure);
  }
  scanStructures(structures, findings);
  checkKind(files, manifest, findings);
  return findings.sorted();
}

function scanTexts({ segments }: Source, findings: Findings, work: Work): void {
  // Files as they stand come last, so that what is found in their texts is not found again.
  for (const segment of segments.toSorted((a, b) => Number(a.role === "raw") - Number(b.role === "raw"))) {
    work.steps++;
    const sensitive = sensitiveIn(segment, work);
    addSensitive(segment, sensitive, findings);
    findHidden(segment, sensitive, findings, work);
    findConfusables(segment, sensitive, findings, work);
    findMarkup(segment, sensitive, findings, work);
    findInjection(segment, sensitive, findings, work);
  }
}

function scanStructures(structures: readonly Structure[], findings: Findings): void {
  for (const one of structures) if (/^(?:agent\.ya?ml|tools\.json)$/.test(one.path)) findInTools(one, findings);
  findInPolicies(
    structures.filter(({ path }) => path.startsWith("policies/")),
    findings,
  );
}

function checkKind(files: ReadonlyMap<string, Uint8Array>, { kind }: Manifest, findings: Findings): void {
  const main = mainFiles[kind];
  const paths = [...files.keys()];
  if (main === undefined || paths.some((path) => main.test(path))) return;
  const what = `The bundle says it is of the kind ${JSON.stringify(String(kind).slice(0, 40))} and has no file of it.`;
  findings.add({ rule: "file.mismatch", path: "bundle.json", line: 1, column: 1, what, snippet: "" });
}
