/**
 * Makes clients of openapi/openapi.json with the generators of npm that most programs use, and compiles each with a strict TypeScript. They are fetched for this run,
 * into a temporary folder: together they weigh more than the service, so they are no dependencies. Prints a line for each; exit code 1 where one fails.
 *
 *     npm run check:clients                    the newest release of each
 */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { membersOf } from "../server/src/kernel/stored-json.ts";

const description = path.resolve(import.meta.dirname, "../openapi/openapi.json");
const run = promisify(execFile);

interface Generator {
  readonly name: string;
  /** What its clients import. */
  readonly runtime?: readonly string[];
  /** The arguments that make a client of `input` in the folder `output`. */
  readonly command: (input: string, output: string) => readonly string[];
}

const generators: readonly Generator[] = [
  {
    name: "openapi-typescript",
    command: (input, output) => ["openapi-typescript", input, "-o", `${output}/client.ts`],
  },
  {
    name: "orval",
    command: (input, output) => ["orval", "--input", input, "--output", `${output}/client.ts`, "--client", "fetch"],
  },
  {
    name: "@hey-api/openapi-ts",
    command: (input, output) => [
      "openapi-ts",
      "-i",
      input,
      "-o",
      output,
      "-c",
      "@hey-api/client-fetch",
      "--no-log-file",
    ],
  },
  {
    name: "oazapfts",
    runtime: ["@oazapfts/runtime"],
    command: (input, output) => ["oazapfts", input, `${output}/client.ts`],
  },
  {
    name: "swagger-typescript-api",
    command: (input, output) => ["swagger-typescript-api", "generate", "-p", input, "-o", output, "-n", "client.ts"],
  },
];

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
};

/** Generates and compiles in the folder that holds the generators. Returns what went wrong; null for nothing. */
async function check({ name, command }: Generator, folder: string): Promise<string | null> {
  const output = `clients/${name.replaceAll("/", "-")}`;
  await mkdir(path.join(folder, output), { recursive: true });
  const project = `${output.replaceAll("/", "-")}.json`;
  await writeFile(path.join(folder, project), JSON.stringify({ compilerOptions, include: [output] }));
  const programs = [command("openapi.json", output), ["tsc", "-p", project, "--pretty", "false"]];
  for (const [program = "", ...args] of programs) {
    const failure = await run(path.join(folder, "node_modules/.bin", program), args, {
      cwd: folder,
      maxBuffer: 1e8,
    }).then(
      () => null,
      ({ stdout, stderr, message }) => `${stdout}${stderr}`.trim() || String(message),
    );
    if (failure !== null) return failure.split("\n").slice(0, 10).join("\n    ");
  }
  return null;
}

const folder = await mkdtemp(path.join(tmpdir(), "aos-clients-"));
try {
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(path.join(folder, "openapi.json"), await readFile(description));
  const packages = [...generators.flatMap(({ name, runtime = [] }) => [name, ...runtime]), "typescript@5"];
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], { cwd: folder });
  for (const generator of generators) {
    const manifest = path.join(folder, "node_modules", generator.name, "package.json");
    const { version } = membersOf(await readFile(manifest, "utf8"));
    const failure = await check(generator, folder);
    console.log(
      `${failure === null ? "✓" : "✗"} ${generator.name} ${version}${failure === null ? "" : `\n    ${failure}`}`,
    );
    if (failure !== null) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
