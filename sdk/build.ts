/**
 * Makes the package as it is published: JavaScript of 2022 with its types, and what npm needs to know.
 *
 *     npm run build --workspace sdk              into sdk/dist; then: npm publish sdk/dist
 *     sh bin/run sdk/build.ts <folder>           into another folder
 */
import path from "node:path";
import { buildLibrary, libraries } from "../scripts/pack/library.ts";

/** Builds the package into a folder, which is emptied before. */
export async function build(folder: string): Promise<void> {
  for (const library of libraries.filter(({ folder: name }) => name === "sdk")) await buildLibrary(library, folder);
}

if (import.meta.main) {
  const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, "dist"));
  await build(folder);
  console.log(`wrote ${folder}`);
}
