const MiB = 1_048_576;

/** Bounds of an archive, in bytes and files. */
export interface ArchiveLimits {
  /** The archive as it travels, compressed. */
  readonly archive: number;
  /** The unpacked tar, headers included; decompression stops here. */
  readonly unpacked: number;
  readonly files: number;
  /** One file. */
  readonly file: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = { archive: 4 * MiB, unpacked: 16 * MiB, files: 500, file: 8 * MiB };

/** Bounds of everything else in a travelling file. */
export const FILE_LIMITS = {
  /** The whole text, in UTF-8 bytes: an archive of 4 MiB in base64, and the rest. */
  text: 8 * MiB,
  statement: MiB,
  rotations: 32,
  rotation: 4096,
  manifest: 262_144,
  scorecard: 524_288,
  /** How deep JSON may nest inside the statement, bundle.json and scorecard.json. */
  depth: 16,
  /** Members of one object in them, and values of each: a statement has a member for each file of the archive. */
  members: 1_000,
  values: 100_000,
} as const;

/** The longest canonical base64 of so many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;
