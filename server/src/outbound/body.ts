import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { OutboundError } from "./errors.ts";

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The body as its data. Nothing is asked for in compressed form, but some servers send nothing else. What comes out is as large as it is, so limits count
 * there; a reader that stops reading stops the unpacking. Throws OutboundError for an encoding that is not known.
 */
export function decoded(body: Readable, encoding: string | undefined, status: number): Readable {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body;
  const make = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (make === undefined) {
    body.on("error", () => undefined).destroy();
    throw new OutboundError("response_invalid", "the answer is packed in a way that is not understood", {
      sent: true,
      status,
    });
  }
  // Errors of either stream end up in the last one, where the reader meets them.
  return pipeline(body, make() as unknown as Readable & NodeJS.WritableStream, () => undefined) as unknown as Readable;
}

/**
 * Reads a body whole. As soon as it holds more than `most` bytes the rest is not read, and OutboundError is thrown; with `cut`, what came until then is answered.
 */
export async function readWhole(body: Readable, most: number, status: number, cut = false): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) {
      body.destroy();
      if (cut) return Buffer.concat([...chunks, chunk]).subarray(0, most);
      throw new OutboundError("response_too_large", `the answer is larger than ${most.toLocaleString("en-US")} bytes`, {
        sent: true,
        status,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
