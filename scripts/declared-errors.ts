import { readFile } from "node:fs/promises";
import { describe } from "../server/src/kernel/operation-seal.ts";
import { publishedOperations } from "./checks/registry.ts";

// Each declared error of each operation is provoked by a test. Databases of tests say what was recorded when they are dropped (server/src/testing/database.ts).

/** Errors that no test provokes yet, one `<operation> <code>` a line. The list may only shrink. */
const exceptionsFile = new URL("../server/test/unprovoked-errors.txt", import.meta.url);

/** What is wrong after a run of all ordinary tests, one line each: declared errors that no test provoked, and exceptions that need to be none. */
export async function errorFaults(recordedFile: string): Promise<string[]> {
  const declared = publishedOperations()
    .map(describe)
    .flatMap(({ id, errors }) => errors.map(({ code }) => `${id} ${code}`));
  const recorded = new Set(await linesOf(recordedFile));
  return compareErrors(declared, recorded, await linesOf(exceptionsFile));
}

/** The same for given lists. */
export function compareErrors(
  declared: readonly string[],
  recorded: ReadonlySet<string>,
  exceptions: readonly string[],
): string[] {
  const missing = declared.filter((one) => !recorded.has(one) && !exceptions.includes(one));
  const needless = exceptions.filter((one) => recorded.has(one) || !declared.includes(one));
  return [
    ...missing.sort().map((one) => `no test provokes ${one}: add one beside the operation`),
    ...needless.map(
      (one) => `${one} is provoked or no longer declared: remove it from server/test/unprovoked-errors.txt`,
    ),
  ];
}

const linesOf = async (file: string | URL): Promise<string[]> =>
  (await readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
