import { spawn } from "node:child_process";
import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { setPriority } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { alone } from "./folder-lock.ts";

const portal = fileURLToPath(new URL("../../../../portal/", import.meta.url));
const vite = fileURLToPath(new URL("../../../../node_modules/vite/bin/vite.js", import.meta.url));

/** Where the portal's files are, once they are built. */
export const builtFolder = path.join(portal, "dist");
/** What the files are made from. */
const sources = [
  "src",
  "widget",
  "public",
  "index.html",
  "vite.config.ts",
  "package.json",
  "../sdk/src",
  "../packages/proof/src",
  "../package-lock.json",
];

/** A build under way, of this process or of another. */
const lock = fileURLToPath(new URL("../../../../node_modules/.cache/portal-build", import.meta.url));

/** Builds the portal's files where they are missing or older than what they are made from. Of several processes that find so one builds, and the others wait. */
export async function ensureBuilt(): Promise<void> {
  if (await isBuilt()) return;
  await alone(lock, async () => {
    if (!(await isBuilt())) await build();
  });
}

/** Whether the built files are there and no older than what they are made from. Where only the built ones were brought along, they are as new as can be. */
export async function isBuilt(): Promise<boolean> {
  const built = await changedAt(path.join(builtFolder, "index.html"));
  if (built === 0) return false;
  if ((await changedAt(path.join(portal, "src"))) === 0) return true;
  const newest = await Promise.all(sources.map((source) => newestIn(path.join(portal, source))));
  return newest.every((time) => time <= built);
}

/** Builds the portal's files, in a process of its own that gives way to others; some seconds. Throws with the builder's words. */
export async function build(): Promise<void> {
  const fresh = `${builtFolder}.${process.pid}`;
  const began = new Date(performance.timeOrigin + performance.now());
  try {
    await runVite(["build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "error"]);
    await utimes(path.join(fresh, "index.html"), began, began); // what is changed while it is built is built the next time
    await rm(`${fresh}.old`, { recursive: true, force: true });
    await rename(builtFolder, `${fresh}.old`).catch(() => undefined);
    await rename(fresh, builtFolder);
  } finally {
    await Promise.all([fresh, `${fresh}.old`].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

function runVite(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // React's own for production, whatever this process was started for.
    const command = ["NODE_ENV=production", process.execPath, vite, ...args];
    const child = spawn("env", command, { cwd: portal, stdio: ["ignore", "ignore", "pipe"] });
    if (child.pid !== undefined) yieldTo(child.pid);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4000);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`the portal could not be built: ${said.trim() || `exit code ${code}`}`)),
    );
  });
}

/** Where the system does not let it, the build takes its turn with everything else. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, 10);
  } catch {
    // It runs all the same.
  }
}

/** The time at which something under a folder, or a file, was last changed, in ms; 0 where there is none. */
async function newestIn(place: string): Promise<number> {
  const entries = await readdir(place, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name));
  return Math.max(...(await Promise.all([place, ...files].map(changedAt))));
}

const changedAt = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
