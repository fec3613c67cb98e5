import { importsOf } from "./imports.ts";
import { type Finding, isTest, type Source } from "./sources.ts";

/** What a start loads: the process, the service, and the slices that the registry finds by their folders. */
const roots = /^server\/src\/(main|wiring\/app|features\/[a-z-]+\/(slice|([a-z-]+\/)*operations\/[a-z0-9-]+))\.ts$/;

/** Packages of many files, or that few installations use: `await import(…)` where they are needed. */
const deferred =
  /^(@ai-sdk\/(anthropic|openai|openai-compatible)|@opentelemetry\/.*|@simplewebauthn\/server|aws4fetch|csv-parse|fast-xml-parser|feedsmith|html-to-text|htmlparser2|hyparquet-writer|imapflow|mammoth|marked|node:https?|nodemailer|openid-client|parse5|postal-mime|prom-client|robots-parser|undici|unpdf|yauzl)$/;

/** Imports by which a start loads what it does not need. */
export function startFindings(sources: readonly Source[]): Finding[] {
  const byFile = new Map(sources.filter(({ file }) => !isTest(file)).map((source) => [source.file, source]));
  const open = [...byFile.keys()].filter((file) => roots.test(file));
  const seen = new Set(open);
  const findings: Finding[] = [];
  for (const file of open) {
    for (const { names, target, line } of importsOf(byFile.get(file) as Source)) {
      if (names === "" || names.startsWith("type ")) continue; // dynamic, or erased
      if (deferred.test(target)) findings.push({ file, line, what: `loads ${target} at every start` });
      const next = target.replace(/^@aos\/([a-z-]+)$/, "packages/$1/src/index.ts");
      if (!byFile.has(next) || seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return findings;
}
