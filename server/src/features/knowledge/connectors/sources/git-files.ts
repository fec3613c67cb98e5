import type { PromiseFsClient } from "isomorphic-git";

type Files = PromiseFsClient["promises"];

const missing = (file: string): Error => Object.assign(new Error(`no ${file}`), { code: "ENOENT" });

/**
 * The files of a repository, in memory: names that a server chose reach no file system. `accept` throws for a pack that may not be read.
 */
export function memoryFiles(start: Readonly<Record<string, string>>, accept: (pack: Buffer) => Promise<void>): Files {
  const files = new Map<string, Buffer>(Object.entries(start).map(([name, text]) => [name, Buffer.from(text)]));
  const isFolder = (folder: string): boolean => [...files.keys()].some((name) => name.startsWith(`${folder}/`));
  const stat = async (file: string) => {
    if (!files.has(file) && !isFolder(file)) throw missing(file);
    return {
      isFile: () => files.has(file),
      isDirectory: () => !files.has(file),
      isSymbolicLink: () => false,
      size: files.get(file)?.length ?? 0,
    };
  };
  const nothing = async (): Promise<void> => undefined;
  return {
    async readFile(file: string, options?: string | { readonly encoding?: string }) {
      const found = files.get(file);
      if (found === undefined) throw missing(file);
      const encoding = typeof options === "string" ? options : options?.encoding;
      return encoding === undefined ? found : found.toString();
    },
    async writeFile(file: string, contents: Uint8Array | string) {
      const bytes =
        typeof contents === "string"
          ? Buffer.from(contents)
          : Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
      if (file.endsWith(".pack")) await accept(bytes);
      files.set(file, bytes);
    },
    async readdir(folder: string) {
      const below = [...files.keys()].filter((name) => name.startsWith(`${folder}/`));
      return [...new Set(below.map((name) => name.slice(folder.length + 1).split("/")[0] as string))];
    },
    async unlink(file: string) {
      files.delete(file);
    },
    readlink: (file: string) => Promise.reject(missing(file)),
    symlink: (file: string) => Promise.reject(missing(file)),
    mkdir: nothing,
    rmdir: nothing,
    stat,
    lstat: stat,
  };
}
