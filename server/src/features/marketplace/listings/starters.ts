import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { BundleFiles, BundleManifest } from "@aos/bundle";
import { storedJson } from "../../../kernel/stored-json.ts";
import { readContents } from "../bundles/contents.ts";
import { asksOf, permissionsOf } from "../bundles/permissions.ts";

/** One folder for each starter, with the files of its bundle. */
export const startersFolder = fileURLToPath(new URL("../../../../../starters/", import.meta.url));

/** None if the folder does not exist. */
export async function listStarters(folder: string): Promise<{ readonly name: string; readonly version: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(names.sort().map(async (name) => ({ name, version: await versionOf(folder, name) })));
}

/** Starters come with the release. */
const starterJson = storedJson<{ text: BundleManifest }>();

async function versionOf(folder: string, name: string): Promise<string> {
  const text = await readFile(path.join(folder, name, "bundle.json"), "utf8");
  return starterJson({ text }, "text").version;
}

/** With the computed permissions in `bundle.json`. */
export async function packStarter(
  folder: string,
  name: string,
): Promise<{ readonly files: BundleFiles; readonly manifest: BundleManifest }> {
  const files = await filesOf(path.join(folder, name));
  const draft = {
    ...starterJson({ text: String(files.get("bundle.json")) }, "text"),
    permissions: {},
  } as BundleManifest;
  const manifest = { ...draft, permissions: asksOf(permissionsOf(readContents(files, draft))) };
  return { files: files.set("bundle.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)), manifest };
}

async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
  return new Map(
    await Promise.all(paths.map(async (file) => [file, await readFile(path.join(folder, file))] as const)),
  );
}
