/**
 * What `npm run new:resource` runs: writes a resource with the operations list, read, create, change and remove, its
 * migration, a test and its arrangements, and its group where that is new.
 *
 *     npm run new:resource -- notes.note nte --about "Notes that people keep."    a new group, at /v1/notes
 *     npm run new:resource -- evaluations.label lbl                               one of a group that is there, at /v1/evaluations/labels
 *
 * Group and noun, then the prefix of its ids. `--about` describes a new group; `--change decide` has changes take the permission
 * `<group>:decide` instead of `<group>:write`; `--table <name>` names the table otherwise than `<group>_<noun>s`. What it writes works, with one text;
 * change its columns and words. The exit code is 2 where the arguments cannot be followed.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Misunderstood } from "./new-operation/arguments.ts";
import { sliceFile, withAction } from "./new-operation/templates.ts";
import { tabled } from "./new-operation/write.ts";
import {
  accountable,
  migrationFile,
  operationIds,
  resourceFiles,
  type WantedResource,
} from "./new-resource/templates.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const features = "server/src/features";
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const exists = (file: string): boolean => existsSync(path.join(root, file));

const options = { about: { type: "string" }, change: { type: "string" }, table: { type: "string" } } as const;

/** Throws where a schema of the group has a name that the resource's would have: then one of the two would be no component. */
function refuseTakenSchemas(group: string, noun: string): void {
  const file = `${features}/${group}/schemas.ts`;
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const own = exists(file) ? read(file) : "";
  const taken = [name, `${name}Id`, `Create${name}Body`, `Change${name}Body`, `Removed${name}`].find((one) =>
    new RegExp(`export const ${one}\\b`).test(own),
  );
  if (taken)
    throw new Misunderstood(`${file} has a schema ${taken} already: choose another noun, or rename that first.`);
}

/** Throws where a table has this name, or one that differs only in the plural of its words. */
function refuseTakenTable(table: string): void {
  const plain = (name: string): string => name.replaceAll(/s(?=_|$)/g, "");
  const tables = [...read("server/src/db/schema.sql").matchAll(/^create table (\w+)/gm)].map(([, name = ""]) => name);
  const alike = tables.find((name) => plain(name) === plain(table));
  if (alike) throw new Misunderstood(`There is a table ${alike} already: choose another name with --table.`);
}

/** Reads the command line. Throws Misunderstood, with the remedy. */
function readArguments(args: string[]): WantedResource & { readonly about: string | undefined } {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [, group, noun] = /^([a-z]+)\.([a-z]+)$/.exec(positionals[0] ?? "") ?? [];
  const prefix = /^[a-z]{3}$/.exec(positionals[1] ?? "")?.[0];
  if (!group || !noun || !prefix || positionals.length !== 2)
    throw new Misunderstood("Say group and noun, and three letters that its ids begin with: notes.note nte");
  const isNew = !exists(`${features}/${group}/slice.ts`);
  if (isNew && !values.about?.trim())
    throw new Misunderstood(`There is no group ${group}. To add it, say what it is about: --about "…"`);
  const slices = readdirSync(path.join(root, features)).map((name) => `${features}/${name}/slice.ts`);
  const owner = slices.find((file) => exists(file) && new RegExp(`^ {4}${prefix}: "`, "m").test(read(file)));
  if (owner) throw new Misunderstood(`${owner} has the prefix ${prefix} already: choose another.`);
  const own = `${noun}s` === group;
  const folder = isNew && own ? group : `${group}/${noun}s`;
  if (!isNew && exists(`${features}/${folder}`)) throw new Misunderstood(`${features}/${folder} is there already.`);
  refuseTakenSchemas(group, noun);
  const table = values.table ?? (own ? group : `${group}_${noun}s`);
  if (!/^[a-z][a-z_]{2,50}$/.test(table)) throw new Misunderstood("--table takes lowercase letters and underscores.");
  refuseTakenTable(table);
  const change = values.change ?? "write";
  if (!/^[a-z]+$/.test(change)) throw new Misunderstood("--change takes the verb of a permission, such as decide.");
  const place = { folder, table, change, path: own ? `/v1/${group}` : `/v1/${group}/${noun}s` };
  return { group, noun, prefix, ...place, about: isNew ? values.about?.trim() : undefined };
}

/** The slice with the prefix and the actions. */
function sliceWith(slice: string, { noun, prefix, group }: WantedResource): string {
  const line = `    ${prefix}: "${noun}s";\n`;
  const heading = /interface IdPrefixes \{\n/;
  const declared = heading.test(slice)
    ? slice.replace(heading, (found) => `${found}${line}`)
    : slice.replace("\nexport const", () => {
        const module = `declare module "../../kernel/ids.ts" {\n  interface IdPrefixes {\n${line}  }\n}\n`;
        return `\n${module}\nexport const`;
      });
  const changed = [`${noun}.read`, `${noun}.change`].reduce<string | undefined>(
    (text, value) => text && withAction(text, { value }),
    declared,
  );
  if (changed === undefined)
    throw new Misunderstood(`${features}/${group}/slice.ts is of another form: add ${noun} by hand.`);
  return changed;
}

function filesOf(wanted: ReturnType<typeof readArguments>): readonly (readonly [string, string])[] {
  const { group, noun, folder, table, about } = wanted;
  const slice = `${features}/${group}/slice.ts`;
  const numbers = readdirSync(path.join(root, "server/src/db/migrations")).map(
    (file) => Number.parseInt(file, 10) || 0,
  );
  const migration = `server/src/db/migrations/${String(Math.max(...numbers) + 1).padStart(4, "0")}_${table}.sql`;
  const roles = "docs/reference/roles.md";
  const rows = operationIds(wanted).reduce((text, [id, changes]) => {
    return tabled(text, { id, permission: { value: `${group}:${changes ? wanted.change : "read"}` } }) ?? text;
  }, read(roles));
  const columns = "scripts/checks/accountable-columns.ts";
  const named = accountable(read(columns), wanted);
  if (named === undefined) throw new Misunderstood(`${columns} is of another form: adapt this script to it.`);
  const exported = `export * from "./${noun}s/schemas.ts";\n`;
  const ofGroup = `${features}/${group}/schemas.ts`;
  return [
    ...resourceFiles(wanted).map(([name, text]) => [`${features}/${folder}/${name}`, text] as const),
    [migration, migrationFile(wanted)],
    [slice, sliceWith(about === undefined ? read(slice) : sliceFile(about), wanted)],
    ...(folder === group ? [] : [[ofGroup, exists(ofGroup) ? `${read(ofGroup)}${exported}` : exported] as const]),
    [roles, rows],
    [columns, named],
  ];
}

try {
  const wanted = readArguments(process.argv.slice(2));
  const files = filesOf(wanted);
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  const written = files.map(([file]) => file);
  const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");
  const formatted = written.filter((file) => file.endsWith(".ts"));
  execFileSync(process.execPath, [biome, "check", "--write", "--log-level=error", ...formatted], { cwd: root });
  console.log(`${written.map((file) => `wrote ${file}`).join("\n")}

Next:
1. npm run gen -- --schema; npm run verify; npm test -- ${features}/${wanted.folder}: all pass as written.
2. Give it its columns and words: migration, schemas.ts, example.ts and resource.ts; then step 1 again.
3. npm test -- server/test/every-operation -t "${wanted.group}\\..*${wanted.noun}|registry"
4. Make its pages in the portal (portal/README.md), and say it in a page of docs/guide and in CHANGELOG.md.`);
} catch (error) {
  if (!(error instanceof Misunderstood)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
