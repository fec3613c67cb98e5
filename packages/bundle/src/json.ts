import { type JsonFault, readStrictJson } from "@aos/strict-json";
import { BundleFault, type BundleFaultCode, type BundlePart } from "./faults.ts";
import { FILE_LIMITS } from "./limits.ts";

/** The code of each kind of fault in a JSON text, and of all others. */
export type JsonCodes = { readonly usual: BundleFaultCode } & Readonly<
  Partial<Record<JsonFault["code"], BundleFaultCode>>
>;

/** Reads a part of a bundle as strict JSON (I-JSON). Throws a BundleFault with line and column in its message. */
export function readJson(bytes: Uint8Array, part: BundlePart, codes: JsonCodes, depth: number): unknown {
  const { members, values } = FILE_LIMITS;
  const read = readStrictJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    depth,
    members,
    values,
  });
  if (read.ok) return read.value;
  const { code, pointer, line, column }: JsonFault = read.fault;
  const what = `Line ${line}, column ${column}: ${words[code]}`;
  throw new BundleFault(codes[code] ?? codes.usual, { part, at: pointer }, what);
}

const words: Readonly<Record<JsonFault["code"], string>> = {
  empty_body: "the text is empty.",
  not_utf8: "a byte here begins no UTF-8 character.",
  byte_order_mark: "the text begins with a byte order mark.",
  syntax: "this is not JSON.",
  trailing_text: "something follows the JSON value.",
  too_deep: "the JSON nests too deep.",
  too_many_members: "an object has too many members.",
  too_many_values: "the JSON has too many values.",
  duplicate_name: "a name occurs twice.",
  forbidden_name: "the name __proto__ is refused.",
  nul_character: "a text has a NUL character.",
  lone_surrogate: "a text has half a surrogate pair.",
  noncharacter: "a text has a noncharacter.",
  number_out_of_range: "a number is beyond what a double holds.",
};
