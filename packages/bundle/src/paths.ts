import { type BundleFaultCode, quoted } from "./faults.ts";

const PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;
const LONGEST = 100;

/** Every way in which a path can be at fault, the most telling first. */
const checks: readonly (readonly [BundleFaultCode, (path: string) => boolean])[] = [
  ["path_nul", (path) => path.includes("\0")],
  ["path_too_long", (path) => Buffer.byteLength(path) > LONGEST],
  ["path_absolute", (path) => path.startsWith("/")],
  ["path_backslash", (path) => path.includes("\\")],
  ["path_drive_letter", (path) => /^[A-Za-z]:/.test(path)],
  ["path_dot_segment", (path) => path.split("/").some((segment) => segment === "." || segment === "..")],
  ["path_upper_case", (path) => path !== path.toLowerCase()],
  ["path_form", (path) => !PATH.test(path)],
];

/** What is wrong with a path inside an archive; null if nothing is. */
export function pathFault(path: string): { readonly code: BundleFaultCode; readonly what: string } | null {
  const found = checks.find(([, isFault]) => isFault(path));
  return found ? { code: found[0], what: `The path ${quoted(path)} is not allowed.` } : null;
}

/** The first of `path`'s folders that is a file itself; null if none is. */
export function folderThatIsFile(path: string, isFile: (path: string) => boolean): string | null {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const folder = path.slice(0, slash);
    if (isFile(folder)) return folder;
  }
  return null;
}
