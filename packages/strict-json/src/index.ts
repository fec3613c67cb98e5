export { canonicalJson } from "./canonical-json.ts";
export type { JsonFault, JsonFaultCode, StrictJsonLimits } from "./faults.ts";
export { escapeToken, parsePointer, pointerOf, resolvePointer } from "./json-pointer.ts";
export {
  type JsonFaults,
  ORDINARY_LIMITS,
  readerModule,
  readStrictJson,
  type StrictJsonResult,
  strictJsonFaults,
} from "./reader.ts";
