/** A file that came with a call, on disk until the call has ended. */
export interface Upload {
  /** As the caller named it, without folders; null: not at all. */
  readonly name: string | null;
  /** As the caller said, in lower case and without parameters. */
  readonly media_type: string;
  /** As the caller said, in lower case; null: not at all. */
  readonly charset: string | null;
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  readonly path: string;
}

/** By the body that they came with: a path can come from the service itself alone, and from no member of a body. */
const uploads = new WeakMap<object, Upload>();

/** Joins a body with the file that came with it. */
export function withUpload<B extends object>(body: B, upload: Upload): B {
  uploads.set(body, upload);
  return body;
}

/** The file that came with a body. */
export function uploadOf(body: unknown): Upload | undefined {
  return typeof body === "object" && body !== null ? uploads.get(body) : undefined;
}

/** What policies see of a file. */
export function describeUpload({ name, media_type, size, sha256 }: Upload) {
  return { name, media_type, size, sha256 };
}
