/**
 * What `npm run verify` runs: everything that can be said of the sources without running the service. Format, lint, types, who imports whom, generated files,
 * sizes, titles. Seconds, no database. Exit code 1 where anything is wrong; each finding names its place.
 */
import { fileURLToPath } from "node:url";
import { type Check, checksOf } from "./checks/all.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint = (code: number, text: string): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function report({ name, run }: Check): Promise<boolean> {
  const began = performance.now();
  const wrong = await run().catch((error: unknown) => [`could not be checked: ${(error as Error).stack}`]);
  const mark = wrong.length === 0 ? paint(32, "✓") : paint(31, "✗");
  console.log(`${mark} ${name.padEnd(16)} ${paint(2, seconds(began).padStart(6))}`);
  for (const line of wrong) console.log(`    ${line}`);
  return wrong.length === 0;
}

const began = performance.now();
const passed = await Promise.all(checksOf(root).map(report));
const failed = passed.filter((ok) => !ok).length;
console.log(
  failed === 0
    ? paint(32, `All ${passed.length} checks passed in ${seconds(began)}.`)
    : paint(31, `${failed} of ${passed.length} checks failed.`),
);
process.exitCode = failed === 0 ? 0 : 1;
