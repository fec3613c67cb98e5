export { digestOf, packArchive, unpackArchive } from "./archive.ts";
export {
  type BundleFile,
  type BundleParts,
  bundleText,
  signBundle,
  type VerifiedBundle,
  verifyBundle,
} from "./bundle.ts";
export type { Envelope } from "./dsse.ts";
export { BUNDLE_FAULT_CODES, BundleFault, type BundleFaultCode, type BundlePart, type BundlePlace } from "./faults.ts";
export {
  exportPrivateKey,
  importPrivateKey,
  keyIdOf,
  makeKey,
  type PublicKey,
  publicKeyOf,
  type SigningKey,
} from "./keys.ts";
export { ARCHIVE_LIMITS, type ArchiveLimits } from "./limits.ts";
export type { BundleManifest } from "./manifest.ts";
export { checkRotations, type Publisher, rotateKey, type TrustedKey } from "./publisher.ts";
export type { BundlePredicate, BundleScan, BundleSource, BundleStatement } from "./statement.ts";
export type { BundleFiles } from "./tar.ts";
export { type BundleKind, KINDS } from "./words.ts";
