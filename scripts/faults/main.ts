/**
 * Plants faults in a copy of the last commit, one at a time, and tells whether the tests catch them. The exit code is 1 where one survives.
 *
 *     npm run faults                          all of them, an hour
 *     npm run faults -- --only policy-        those whose name contains that; can be repeated
 *     npm run faults -- --list                their names, without running; throws where one no longer fits the source
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { callFaults } from "./call.ts";
import { Copy } from "./copy.ts";
import { planted } from "./fault.ts";
import { governanceFaults } from "./governance.ts";
import { outsideFaults } from "./outside.ts";
import { workFaults } from "./work.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({ options: { only: { type: "string", multiple: true }, list: { type: "boolean" } } });
const { only = [""], list = false } = values;
const faults = [...callFaults, ...governanceFaults, ...workFaults, ...outsideFaults].filter(({ name }) =>
  only.some((part) => name.includes(part)),
);
for (const fault of faults) planted(readFileSync(`${root}${fault.file}`, "utf8"), fault);
if (list) for (const { name, file } of faults) console.log(`${name.padEnd(42)} ${file}`);
else await run();

async function run(): Promise<void> {
  const copy = new Copy(root);
  const survived: string[] = [];
  try {
    for (const fault of faults) {
      const began = performance.now();
      const caught = await copy.catches(fault);
      if (!caught) survived.push(fault.name);
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(`${fault.name.padEnd(42)} ${caught ? "caught  " : "SURVIVED"} ${String(seconds).padStart(4)} s`);
    }
  } finally {
    copy.remove();
  }
  console.log(`${faults.length - survived.length} caught, ${survived.length} survived`);
  process.exitCode = survived.length === 0 && faults.length > 0 ? 0 : 1;
}
