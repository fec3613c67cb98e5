/** Agents as files: reading, writing, naming by digest, comparing. Pure: no database, no clock. */
export { bundleFaults, freezeFaults } from "./check.ts";
export { type Comparable, diffDefinitions } from "./diff.ts";
export {
  type ChangeEffect,
  changeEffects,
  changeKinds,
  DefinitionChange,
  DefinitionDiff,
  DiffHunk,
  DiffLine,
  TextDiff,
} from "./diff-schemas.ts";
export { type BundleResult, type FileResult, parseBundle, parseBundleValue, parseFile, valueFaults } from "./parse.ts";
export { digestOf, writeBundle } from "./write.ts";
