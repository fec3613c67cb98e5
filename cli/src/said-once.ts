import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { configFolder } from "./credentials.ts";
import type { Terminal } from "./terminal.ts";

/** Whether this user has not been told of the file yet; remembers that they are now. Where nothing can be kept, everything is news. */
export async function isNews(env: Terminal["env"], file: string): Promise<boolean> {
  const told = path.join(configFolder(env), "told.json");
  const before = await readFile(told, "utf8")
    .then((text) => JSON.parse(text) as readonly string[])
    .catch((): readonly string[] => []);
  if (before.includes(file)) return false;
  await mkdir(path.dirname(told), { recursive: true, mode: 0o700 })
    .then(() => writeFile(told, `${JSON.stringify([...before, file].slice(-100))}\n`, { mode: 0o600 }))
    .catch(() => undefined);
  return true;
}
