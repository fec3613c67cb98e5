/**
 * Plants faults in a copy of the last commit, one at a time, and tells whether the tests catch them. The exit code is 1 where one survives or no longer fits
 * the source.
 *
 *     npm run faults                          all of them, about an hour
 *     npm run faults -- --only policy-        those whose name contains that; can be repeated
 *     npm run faults -- --list                their names, without running them
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { faults } from "./all.ts";
import { Copy } from "./copy.ts";
import { type Fault, misfit } from "./fault.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({ options: { only: { type: "string", multiple: true }, list: { type: "boolean" } } });
const { only = [""], list = false } = values;
const chosen = faults.filter(({ name }) => only.some((part) => name.includes(part)));

const misfits = chosen.flatMap((fault) => misfit(fault, root) ?? []);
const fitting = chosen.filter((fault) => misfit(fault, root) === null);
let survived = 0;
if (list) for (const { name, file } of fitting) console.log(`${name.padEnd(42)} ${file}`);
else survived = await plant(fitting);
for (const line of misfits) console.log(line);
if (!list) console.log(`${fitting.length - survived} caught, ${survived} survived, ${misfits.length} do not fit`);
process.exitCode = survived + misfits.length === 0 && chosen.length > 0 ? 0 : 1;

/** Returns how many survived. */
async function plant(fitting: readonly Fault[]): Promise<number> {
  const copy = new Copy(root);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      copy.remove();
      process.exit(1);
    });
  let missed = 0;
  try {
    const tests = [...new Set(fitting.flatMap((fault) => fault.tests))];
    if (!(await copy.testsPass({ tests }))) throw new Error("These tests fail without a fault as well: npm test.");
    for (const fault of fitting) {
      const began = performance.now();
      const caught = await copy.catches(fault);
      if (!caught) missed++;
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(`${fault.name.padEnd(42)} ${caught ? "caught  " : "SURVIVED"} ${String(seconds).padStart(4)} s`);
    }
  } finally {
    copy.remove();
  }
  return missed;
}
