export { fromBase64, fromHex, sameBytes, toBase64, toHex, utf8 } from "./bytes.ts";
export { canonicalForm, repeatedName } from "./canonical.ts";
export {
  type Checkpoint,
  formatCheckpoint,
  openCheckpoint,
  parseCheckpointText,
  readCheckpointUnverified,
  signCheckpoint,
} from "./checkpoint.ts";
export {
  type CommittedField,
  commit,
  commitmentOf,
  committedFields,
  openingOf,
  openingsOf,
  type SubjectSalt,
} from "./commitments.ts";
export {
  type Cosignature,
  type CosignerKey,
  cosignedMessage,
  cosignerKey,
  formatCosignerKey,
  openCosignature,
  parseCosignerKey,
} from "./cosignature.ts";
export { csvHead, csvRow } from "./csv-row.ts";
export {
  type DecisionVerdict,
  type DecisionVote,
  decisionTrust,
  decisionVerdicts,
  decisionVotes,
} from "./decision.ts";
export { type ExportFilter, recordFilter } from "./export-filter.ts";
export {
  type ExportHeader,
  type ExportLine,
  exportFormat,
  formatExportHeader,
  formatExportLine,
  parseExportHeader,
  parseExportLine,
} from "./export-format.ts";
export { type ExportRow, jsonlRow, recordOfLeaf, refusingStage } from "./export-row.ts";
export type { Finding } from "./findings.ts";
export { namesOfObject, namesOfOperation } from "./former-names.ts";
export {
  type ExportFileFormat,
  type ExportManifest,
  exportFileFormats,
  formatManifest,
  manifestFormat,
  openManifest,
  parseManifestText,
  readManifestUnverified,
} from "./manifest.ts";
export { type ManifestReport, type VerifyManifestOptions, verifyManifest } from "./manifest-verify.ts";
export {
  completeSubtrees,
  emptyRoot,
  hashLength,
  leafHash,
  nodeHash,
  rootOfInclusion,
  type TreeHead,
  verifyConsistency,
  verifyInclusion,
} from "./merkle.ts";
export {
  type Ed25519Signer,
  FormatError,
  formatVerifierKey,
  isKeyName,
  type Note,
  openNote,
  parseNote,
  parseVerifierKey,
  signNote,
  type VerifierKey,
  verifierKey,
} from "./note.ts";
export { type OcsfActivity, ocsfActivities, ocsfRow, ocsfVersion } from "./ocsf-row.ts";
export { type AuditRecord, type AuditStage, buildRecordBody, recordVersion, withKeySeq } from "./record.ts";
export { createRemovals, type RemovalReason, type Removals, type Removed, removals } from "./removal.ts";
export { type ResultToVerify, type ResultVerdict, verifyResult } from "./result.ts";
export { erasesSalt, saltErased, saltErasures } from "./salt-erasure.ts";
export { compareShown, type ShownOptions, type ShownVerdict } from "./shown-record.ts";
export {
  consistencyProof,
  createTree,
  inclusionProof,
  MissingTile,
  resumeTree,
  rootAt,
  subtreesOf,
  type Tile,
  type TileId,
  type TileReader,
  type TreeBuilder,
  tileBytes,
  tilePath,
  tileWidth,
  widthOfTile,
} from "./tiles.ts";
export {
  formatTlogProof,
  type ProofToVerify,
  type ProofVerdict,
  parseTlogProof,
  type RecordVerdict,
  type TlogProof,
  tlogProofHeader,
  verifyProof,
  verifyRecordProof,
} from "./tlog-proof.ts";
export { createTreeFold, type TreeFold } from "./tree-fold.ts";
export { type ExportReport, type VerifyExportOptions, verifyExport } from "./verify-export.ts";
