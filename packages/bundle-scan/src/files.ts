import type { Findings } from "./findings.ts";

const KNOWN =
  /^(?:bundle\.json|readme\.md|agent\.ya?ml|workflow\.ya?ml|tools\.json|datasets\.json|scorers\.json|gate\.json|try\.json|scorecard\.json|(?:training|datasets)\/[^/]+\.jsonl|(?:knowledge|policies)\/[^/]+\.json)$/;
const CODE =
  /\.(?:js|mjs|cjs|jsx|ts|tsx|py|pyc|rb|pl|php|sh|bash|zsh|ps1|bat|cmd|vbs|exe|dll|so|dylib|wasm|jar|class|go|rs|c|cc|cpp|lua|r|sql|ipynb|html?|svg|xhtml|desktop|msi|deb|apk|app|com|scr|node|hta|jinja2?|j2|pkl|pickle|lnk)$/;

const hexOf = (...bytes: number[]): string => String.fromCharCode(...bytes);
/** The first bytes of formats, in Latin-1. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  [hexOf(0x7f, 0x45, 0x4c, 0x46), "a program for Linux"],
  ["MZ", "a program for Windows"],
  [hexOf(0xcf, 0xfa, 0xed, 0xfe), "a program for macOS"],
  [hexOf(0xca, 0xfe, 0xba, 0xbe), "a program for Java or macOS"],
  [hexOf(0, 0x61, 0x73, 0x6d), "a WebAssembly module"],
  [hexOf(0x50, 0x4b, 3, 4), "a ZIP archive"],
  [hexOf(0x1f, 0x8b), "a gzip archive"],
  ["%PDF-", "a PDF document"],
  [hexOf(0x89, 0x50, 0x4e, 0x47), "an image"],
  ["GIF8", "an image"],
  [hexOf(0xff, 0xd8, 0xff), "an image"],
  [hexOf(0x80, 4, 0x95), "a Python pickle"],
  ["{\\rtf", "an RTF document"],
  [`7z${hexOf(0xbc, 0xaf)}`, "a 7z archive"],
  ["SQLite format 3", "a database"],
];
const SCRIPTS: readonly RegExp[] = [
  /^#!\s{0,4}\//,
  /^\s{0,100}<\?php/i,
  /^\s{0,100}<(?:!doctype html|html|script|svg)\b/i,
  /^(?:#[^\n]{0,200}\n){0,3}(?:import [a-z_.]{1,60}(?: as \w{1,40})?|from [a-z_.]{1,60} import \w{1,60})\s{0,3}\n/,
  /^(?:"use strict";|import [\w{}*, $]{1,200} from ["']|(?:const|let|var) [\w{}, $]{1,100} = require\()/,
];

/** Judges a file by its name and first bytes. Returns whether it is worth reading as text. */
export function checkFile(path: string, bytes: Uint8Array, findings: Findings): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_000)).toString("latin1");
  const place = { path, line: 1, column: 1, snippet: "" };
  const kind = BEGINNINGS.find(([beginning]) => start.startsWith(beginning));
  if (kind && !(kind[0] === "MZ" && /^MZ[\x20-\x7e\s]*$/.test(start)))
    findings.add({ ...place, rule: "file.mismatch", what: `The file begins like ${kind[1]}.` });
  else if (start.includes("\0"))
    findings.add({ ...place, rule: "file.mismatch", what: "The file holds NUL bytes, which no text does." });
  if (CODE.test(path) || SCRIPTS.some((script) => script.test(start)))
    findings.add({ ...place, rule: "file.code", what: "The file is a program, script or page." });
  else if (!KNOWN.test(path))
    findings.add({ ...place, rule: "file.unexpected", what: "The file has no place in a bundle." });
  return true;
}
