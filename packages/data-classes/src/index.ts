/** Detection and redaction of personal data, bank and card numbers, national ids and secrets. Pure functions, linear time. */
export { base62Checksum } from "./checksums.ts";
export {
  type DataClass,
  type DataKind,
  dataClasses,
  dataClassOf,
  dataKinds,
  type Finding,
  maximumClass,
} from "./classes.ts";
export { credentialsIn, holdsCredential, namesCredential } from "./credentials.ts";
export { type Redacted, type Replaced, redact, restore, TooDeep } from "./redact.ts";
export { type JsonFinding, type JsonScan, type ScanJsonLimits, scanJson, startScanLimits } from "./scan-json.ts";
export { scanText } from "./scan-text.ts";
