import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { unpackArchive } from "./archive.ts";
import { BundleFault } from "./faults.ts";

// Unpacks every archive of a folder; prints how many were refused, and how far that raised the peak of memory, in
// bytes.

const peak = (): number => process.resourceUsage().maxRSS * 1024;
const folder = process.argv[2] as string;
const before = peak();
let refused = 0;
for (const name of readdirSync(folder)) {
  try {
    unpackArchive(readFileSync(path.join(folder, name)));
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error;
    refused++;
  }
}
console.log(JSON.stringify({ refused, growth: peak() - before }));
