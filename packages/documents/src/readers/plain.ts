import { declaredCharset, decoded } from "./encoding.ts";
import { type Output, readable, type Source } from "./output.ts";

/** A text as it is. */
export function readPlain({ bytes, mediaType }: Source, output: Output): void {
  output.literal(readable(decoded(bytes, declaredCharset(mediaType))));
}
