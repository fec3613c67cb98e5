import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { knownActions } from "../../server/src/kernel/actions.ts";
import { roles } from "../../server/src/kernel/principal.ts";
import { roleGrants } from "../../server/src/kernel/role-permissions.ts";
import { Misunderstood, type WantedOperation } from "./arguments.ts";
import {
  arrangement,
  arrangementsFile,
  operationFile,
  schemasFile,
  sliceFile,
  testFile,
  withAction,
} from "./templates.ts";

/**
 * Writes the operation and its test, its arrangement, its action where no slice declares it, and its group where that is new; all or none. Returns the files,
 * relative to `root`, the operation first.
 */
export async function writeOperation(root: string, wanted: WantedOperation): Promise<string[]> {
  const { name, about, action } = wanted;
  const folder = `server/src/features/${wanted.folder}`;
  const slice = `server/src/features/${wanted.folder.split("/")[0]}`;
  const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const own = [`${folder}/operations/${kebab}.ts`, `${folder}/operations/${kebab}.test.ts`] as const;
  const above = "../".repeat(wanted.folder.split("/").length - 1);
  const placed = (text: string): string => text.replaceAll('"../../../', `"${above}../../../`);
  for (const file of own) if (existsSync(path.join(root, file))) throw new Misunderstood(`${file} is there already.`);
  const textOf = (file: string, otherwise: string): string =>
    existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), "utf8") : otherwise;
  const edit = (file: string, otherwise: string, change: (text: string) => string | undefined): [string, string] => {
    const changed = change(textOf(file, otherwise));
    if (changed === undefined)
      throw new Misunderstood(`${file} is not of the form that this script can add to; add ${wanted.id} by hand.`);
    return [file, changed];
  };
  const isNewAction = "value" in action && !knownActions().includes(action.value);
  const files: (readonly [string, string])[] = [
    [own[0], placed(operationFile(wanted))],
    [own[1], placed(testFile(wanted))],
    edit(`${folder}/arrangements.fixture.ts`, placed(arrangementsFile), (text) => arranged(text, wanted)),
    edit("docs/reference/roles.md", "", (text) => tabled(text, wanted)),
  ];
  if (about !== null || isNewAction)
    files.push(
      edit(`${slice}/slice.ts`, sliceFile(about ?? ""), (text) => (isNewAction ? withAction(text, action) : text)),
    );
  if (about !== null) files.push([`${slice}/schemas.ts`, schemasFile]);
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return files.map(([file]) => file);
}

/** An import after the last one; the formatter sorts them. */
function withImport(text: string, line: string): string {
  const last = [...text.matchAll(/^import [^;]*;$/gm)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** From the opening brace to the one that closes it, which stands at the beginning of its line: what is returned within an arrangement ends in the same letters. */
const arrangements = /(export const arrange: Arrangements = \{)([\s\S]*?)(\n\};|(?<=Arrangements = \{)\};)/;

/** The arrangements with that of the operation at their end. */
export function arranged(text: string, wanted: WantedOperation): string | undefined {
  if (!arrangements.test(text)) return undefined;
  const { entry, imports } = arrangement(wanted);
  const added = text.replace(arrangements, (_whole, head: string, inner: string, tail: string) => {
    const there = inner.trimEnd();
    return `${head}${there === "" || there.endsWith(",") ? there : `${there},`}\n  ${entry},${tail.startsWith("\n") ? tail : `\n${tail}`}`;
  });
  const [, names = "", from = "./arranged.ts"] =
    /import (?:type )?\{([^}]*)\} from "([^"]*\/arranged\.ts)";/.exec(added) ?? [];
  const missing = imports.filter((one) => !new RegExp(`\\b${one}\\b`).test(names));
  return missing.length === 0 ? added : withImport(added, `import { ${missing.join(", ")} } from "${from}";`);
}

/** The page with a row of the roles that have the permission now. */
export function tabled(
  text: string,
  { id, permission }: Pick<WantedOperation, "id" | "permission">,
): string | undefined {
  const needed = "exempt" in permission ? `_${permission.exempt}_` : `\`${permission.value}\``;
  const marks = roles.map((role) => ("exempt" in permission || roleGrants(role, permission.value) ? "✓" : "·"));
  const lines = text.trimEnd().split("\n");
  const first = lines.findIndex((line) => line.startsWith("| Operation ")) + 2;
  if (first < 2) return undefined;
  const rows = [...lines.slice(first), `| \`${id}\` | ${[needed, ...marks].join(" | ")} |`];
  return `${[...lines.slice(0, first), ...rows.sort()].join("\n")}\n`;
}
