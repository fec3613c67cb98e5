/** The static scan of a marketplace bundle's files: rules alone, linear time, findings as values or as SARIF 2.1.0. */
export type { Finding } from "./findings.ts";
export { type Level, type Rule, type RuleId, ruleIds, rules } from "./rules.ts";
export { type SarifLog, toSarif } from "./sarif.ts";
export { type Manifest, scanBundle } from "./scan.ts";
