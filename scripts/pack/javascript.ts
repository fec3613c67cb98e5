import { stripTypeScriptTypes } from "node:module";

/** A path of a file of the package, as an import or a URL names it: `"./sales.ts"`. */
const SPECIFIER = /(["'`])(\.{1,2}\/[^"'`\n]*)\.ts\1/g;

/**
 * The same program in JavaScript. Types become blanks, so that lines and columns stay where they were, and files are named as they are called then.
 */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source, { mode: "strip" }).replaceAll(SPECIFIER, "$1$2.js$1");
}

/** The name of a file that was TypeScript. */
export const asJavaScript = (file: string): string => file.replace(/\.ts$/, ".js");
