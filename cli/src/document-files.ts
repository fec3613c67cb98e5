import { openAsBlob } from "node:fs";
import { glob, stat } from "node:fs/promises";
import path from "node:path";
import type { Problem } from "./problems.ts";
import { CommandError } from "./terminal.ts";

/** A file that is to become a document, or an address that the service is to fetch. */
export interface FileToAdd {
  readonly name: string;
  readonly path?: string;
  readonly url?: string;
  readonly externalId?: string | undefined;
  readonly title?: string | undefined;
}

export interface AddedDocument {
  readonly document_id: string;
  readonly outcome: string;
  readonly state: string;
  readonly chunks: number;
  readonly progress?: number;
  readonly error?: { readonly detail: string } | null;
}

export interface AddedFile {
  readonly name: string;
  readonly document?: AddedDocument;
  /** Why the service did not take it. */
  readonly fault?: string;
  /** Why it takes none. */
  readonly fatal?: Problem;
}

/** The files that names stand for, those of folders included, in their order. Throws a CommandError where one is missing or two would be one document. */
export async function filesIn(names: readonly string[], urls: readonly string[]): Promise<readonly FileToAdd[]> {
  const files: FileToAdd[] = [];
  for (const name of names) files.push(...(await filesOf(name)));
  const twice = files.find(({ externalId }, at) => files.findIndex((other) => other.externalId === externalId) < at);
  if (twice !== undefined)
    throw new CommandError(
      `${twice.path} and another file have the external id ${twice.externalId}, so that one would replace the other: add them one by one with --external-id.`,
    );
  return [...files, ...urls.map((url) => ({ name: url, url }))];
}

async function filesOf(name: string): Promise<readonly FileToAdd[]> {
  const found = await stat(name).catch(() => undefined);
  if (found === undefined) throw new CommandError(`File not found: ${name}.`);
  if (!found.isDirectory()) {
    const own = path.basename(name);
    return [{ name: own, path: name, externalId: own }];
  }
  const inside: FileToAdd[] = [];
  for await (const entry of glob("**/*", { cwd: name, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(name, full).split(path.sep).join("/");
    if (entry.isFile() && !isHidden(relative)) inside.push({ name: relative, path: full, externalId: relative });
  }
  if (inside.length === 0) throw new CommandError(`${name} has no files.`);
  return inside.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isHidden = (relative: string): boolean => relative.split("/").some((part) => part.startsWith("."));

/** The form that brings a file. Its bytes are read while they are sent. */
export async function formOf(file: FileToAdd, readers: readonly string[] | undefined): Promise<FormData> {
  const form = new FormData();
  if (file.externalId !== undefined) form.append("external_id", file.externalId);
  if (file.title !== undefined) form.append("title", file.title);
  if (readers !== undefined) form.append("readers", JSON.stringify(readers));
  form.append("file", await openAsBlob(file.path as string), path.basename(file.path as string));
  return form;
}
