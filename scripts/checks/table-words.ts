import { readFileSync } from "node:fs";
import path from "node:path";
import { sweeps } from "../../server/src/features/index.ts";
import type { OwnedTable } from "../../server/src/resources/tables.ts";
import { insideOperations, publishedOperations } from "./registry.ts";
import type { Finding, Source } from "./sources.ts";
import { readOwners } from "./tables.ts";

/** What owners say of their tables and is not so: sweeps, settings, operations and tables that are not there. */
export async function tableWordFindings(root: string, sources: readonly Source[]): Promise<Finding[]> {
  const owners = await readOwners(root, sources);
  const known = {
    sweeps: new Set(sweeps.map(({ name }) => name)),
    operations: new Set([...publishedOperations(), ...insideOperations()].map(({ id }) => id)),
    settings: readFileSync(path.join(root, "docs/operations/storage.md"), "utf8"),
  };
  return owners.flatMap(({ file, owned }) =>
    faultsOf(owned, known).map((what) => ({ file, line: 1, what: `says of ${owned.table} ${what}` })),
  );
}

interface Known {
  readonly sweeps: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
  readonly settings: string;
}

function faultsOf({ keeps, personal }: OwnedTable, { sweeps, operations, settings }: Known): string[] {
  const faults: string[] = [];
  if (keeps.kind === "for a time") {
    if (!sweeps.has(keeps.sweep))
      faults.push(`that the sweep ${keeps.sweep} deletes its rows, which no slice declares`);
    if (keeps.setting !== null && !settings.includes(`\`${keeps.setting}\``))
      faults.push(`that ${keeps.setting} sets how long, which docs/operations/storage.md does not name`);
  }
  if ("columns" in personal && personal.erased.kind === "by operation" && !operations.has(personal.erased.operation))
    faults.push(`that ${personal.erased.operation} erases it, which is no operation`);
  return faults;
}
