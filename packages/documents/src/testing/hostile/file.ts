/** A file that is made to harm whoever reads it, or that is broken. */
export interface Hostile {
  readonly about: string;
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mediaType?: string;
  /** What it has to end as, where that is certain: the code of a fault, or `read`. */
  readonly ends?: string;
}

/** Files of one kind. */
export const files = (fileName: string, all: Readonly<Record<string, string | Uint8Array>>, ends?: string): Hostile[] =>
  Object.entries(all).map(([about, contents]) => ({
    about,
    bytes: typeof contents === "string" ? Buffer.from(contents) : contents,
    fileName,
    ...(ends === undefined ? {} : { ends }),
  }));

/** The file cut off at so many places. */
export const cutOff = (fileName: string, bytes: Uint8Array, places: number): Hostile[] =>
  Array.from({ length: places }, (_, at) => {
    const length = Math.floor((bytes.length * (at + 1)) / (places + 1));
    return { about: `${fileName} cut off after ${length} bytes`, bytes: bytes.subarray(0, length), fileName };
  });
