/**
 * Makes the tarballs that install without a clone: the service with command line and portal, the SDK, and the package that verifies proofs.
 *
 *     npm run tarballs                into dist/
 *     npm run tarballs -- <folder>    into another folder
 *
 * Prints their paths. docs/operations/install.md says what is done with them.
 */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ensureBuilt } from "../server/src/http/portal/build.ts";
import { storedJson } from "../server/src/kernel/stored-json.ts";
import { buildLibrary, libraries } from "./pack/library.ts";
import { buildService } from "./pack/service.ts";

const root = path.resolve(import.meta.dirname, "..");

/** What `npm pack --json` prints. */
const npmJson = storedJson<{ packed: { readonly filename: string }[] }>();

/** Makes all tarballs in a folder. Returns their paths, the service first. */
export async function pack(into: string): Promise<string[]> {
  await mkdir(into, { recursive: true });
  const staging = await mkdtemp(path.join(into, ".aos-pack-"));
  try {
    await ensureBuilt();
    const folders = ["service", ...libraries].map((name) => path.join(staging, name));
    await buildService(path.join(staging, "service"));
    for (const library of libraries) await buildLibrary(library, path.join(staging, library));
    const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", into, ...folders];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: staging, maxBuffer: 1e8 });
    return npmJson({ packed: stdout }, "packed").map(({ filename }) => path.join(into, filename));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  for (const file of await pack(path.resolve(process.argv[2] ?? path.join(root, "dist")))) console.log(file);
}
