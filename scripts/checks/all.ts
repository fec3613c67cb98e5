import { execFile } from "node:child_process";
import path from "node:path";
import { faults } from "../faults/all.ts";
import { misfit } from "../faults/fault.ts";
import { accountableFindings } from "./accountable.ts";
import { evaluatorFindings } from "./evaluators.ts";
import { generate, staleFiles } from "./generated.ts";
import { circleFindings, importFindings, packageFindings, sealFindings } from "./imports.ts";
import { jsonFindings } from "./json-reading.ts";
import { makerFindings } from "./makers.ts";
import { outcomeFindings } from "./outcomes.ts";
import { portalFindings } from "./portal-imports.ts";
import { sizeFindings, titleFindings } from "./sizes.ts";
import { componentFindings, sliceFindings } from "./slices.ts";
import { type Finding, readSources, type Source } from "./sources.ts";
import { stageFindings } from "./stages.ts";
import { startFindings } from "./start.ts";
import { tableWordFindings } from "./table-words.ts";
import { tableFindings } from "./tables.ts";
import { wordFindings, wordRules } from "./words.ts";

/** A check of the repository that needs no database. `run` answers what is wrong, one line each; nothing where all is well. */
export interface Check {
  readonly name: string;
  run(): Promise<readonly string[]>;
}

const kinds = [".ts", ".tsx", ".sql", ".md", ".json", ".yaml", ".sh", ".html", ".css"];

/** Every check, the slowest first. */
export function checksOf(root: string): readonly Check[] {
  let sources: Source[] | undefined;
  const findings = (
    name: string,
    find: (sources: readonly Source[]) => readonly Finding[] | Promise<readonly Finding[]>,
  ): Check => ({
    name,
    run: async () => {
      sources ??= readSources(root, kinds);
      return (await find(sources)).map(({ file, line, what }) => `${file}:${line}: ${what}`);
    },
  });
  return [
    { name: "types", run: () => typesOf(root, ".") },
    { name: "types of pages", run: () => typesOf(root, "portal") },
    {
      name: "format and lint",
      run: () =>
        program(root, process.execPath, [
          bin(root, "@biomejs/biome/bin/biome"),
          "check",
          "--colors=off",
          "--max-diagnostics=20",
        ]),
    },
    { name: "generated files", run: () => generatedFiles(root) },
    findings("import rules", (all) => [
      ...importFindings(all),
      ...packageFindings(all),
      ...sealFindings(all),
      ...circleFindings(all),
      ...startFindings(all),
      ...portalFindings(all),
    ]),
    findings("slices", async (all) => [...sliceFindings(all), ...(await componentFindings(root, all))]),
    findings("owners of tables", async (all) => [
      ...(await tableFindings(root, all)),
      ...(await tableWordFindings(root, all)),
    ]),
    findings("order of stages", stageFindings),
    findings("accountable columns", (all) => accountableFindings(all)),
    findings("errors as outcomes", (all) => outcomeFindings(all)),
    findings("evaluators without a bound", (all) => evaluatorFindings(all)),
    findings("values of one maker", makerFindings),
    findings("types of parsed JSON", (all) => jsonFindings(all)),
    findings("source rules", (all) => wordRules.flatMap((rule) => wordFindings(rule, all))),
    { name: "planted faults", run: async () => faults.flatMap((fault) => misfit(fault, root) ?? []) },
    findings("file sizes", sizeFindings),
    findings("test titles", titleFindings),
  ];
}

const bin = (root: string, file: string): string => path.join(root, "node_modules", file);

/** The portal has its own project: its files are for a bundler, and hold JSX. */
const typesOf = (root: string, project: string): Promise<string[]> =>
  program(root, process.execPath, [bin(root, "typescript/bin/tsc"), "-p", project, "--pretty", "false"]);

async function generatedFiles(root: string): Promise<string[]> {
  const stale = await staleFiles(root, await generate());
  return stale.map((file) => `${file}: is stale; run npm run gen, and look at the difference`);
}

/** A program that says by its exit code whether all is well. */
function program(root: string, file: string, args: readonly string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) return resolve([]);
      const said = `${stdout}${stderr}`.trim();
      resolve(said === "" ? [`ended with ${error.message}`] : said.split("\n"));
    });
  });
}
