export { binOf, Histogram, tenthOf, valueOfBin, zeroBin } from "./bins.ts";
export type { Bins, Block, Shape } from "./block.ts";
export { BlockBuilder, type Hit } from "./builder.ts";
export {
  BinsRoom,
  binPlacesIn,
  decode,
  type EncodedBlock,
  encode,
  headBytes,
  type Place,
  placeIn,
  unpackBins,
} from "./codec.ts";
export { unpack } from "./column.ts";
export { merge, negate } from "./merge.ts";
export { type Cell, type Columns, type Condition, columnsOf, Scan, type ScanRequest } from "./scan.ts";
