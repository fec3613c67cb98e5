import { cleanFiles } from "./clean-files.ts";
import { freshCleanFiles } from "./clean-fresh.ts";
import { falseFindings, markdownOf, recallOf } from "./measure.ts";
import { fresh } from "./planted-fresh.ts";
import { heldOut } from "./planted-held-out.ts";
import { later } from "./planted-later.ts";
import { seen } from "./planted-seen.ts";

/** Prints the figures of the README: `sh bin/run packages/bundle-scan/src/testing/figures.ts [seen] [FOLDER…]`. */
const [only, ...rest] = process.argv.slice(2);
const folders = only === "seen" || only === undefined ? rest : [only, ...rest];
for (const [name, plants] of Object.entries(only === "seen" ? { seen } : { seen, heldOut, later, fresh })) {
  const { found, planted, missed } = recallOf(plants, 1);
  console.log(`${name}: ${found} of ${planted} found`);
  for (const one of missed) console.log(`  missed ${one}`);
}
for (const [name, files] of [
  ["clean files", cleanFiles()] as const,
  ["fresh clean files", freshCleanFiles()] as const,
  ...folders.map((one) => [one, markdownOf(one)] as const),
]) {
  const { serious, notes, flagged, files: count } = falseFindings(files);
  console.log(`${name}: ${flagged} of ${count} files flagged, ${serious.length} findings, ${notes} notes`);
  for (const { rule, path, line, snippet } of serious) console.log(`  ${rule} ${path}:${line} ${snippet}`);
}
