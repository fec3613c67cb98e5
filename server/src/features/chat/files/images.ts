import type { Fault } from "../../../kernel/errors.ts";

// Images that callers bring for a model to see. Their type is what their first bytes say, whatever their caller calls them.

/** Bytes of an image: 5 MiB, as providers take them. */
export const largestImage = 5 * 1024 * 1024;

const signatures: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))],
  ["image/gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"],
];

export const imageTypes: ReadonlySet<string> = new Set(signatures.map(([type]) => type));

/** The type of an image; undefined: it is none that models take. */
export const typeOfImage = (bytes: Buffer): string | undefined => signatures.find(([, fits]) => fits(bytes))?.[0];

/** What is wrong with an image in base64. */
export function imageFaults(base64: string): Fault[] {
  const fault = (code: string, detail: string): Fault[] => [{ pointer: "/image", code, detail }];
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return fault("invalid_value", "takes base64 without line breaks");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > largestImage)
    return fault("too_large", `has ${bytes.length} bytes; an image has up to ${largestImage}: send a smaller one`);
  return typeOfImage(bytes) ? [] : fault("unsupported_type", `takes ${[...imageTypes].join(", ")}`);
}
