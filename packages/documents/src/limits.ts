/** What reading one document may cost. */
export interface Limits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Milliseconds of work; the time in which whoever reads rows does something else does not count. */
  readonly milliseconds: number;
  /** Megabytes of the process's JavaScript heap, and of the whole process. */
  readonly heap: number;
  readonly memory: number;
  readonly pages: number;
  /** UTF-16 code units of the text, and of one row. */
  readonly text: number;
  readonly row: number;
  /** Bytes of a packed file, such as DOCX, when unpacked; and how many times its packed size that may be. */
  readonly unpacked: number;
  readonly ratio: number;
  /** Parts of the text: headings, paragraphs, tables. */
  readonly blocks: number;
}

const MB = 2 ** 20;

export const LIMITS: Limits = {
  bytes: 100 * MB,
  milliseconds: 120_000,
  heap: 512,
  memory: 1200,
  pages: 5000,
  text: 50 * MB,
  row: MB,
  unpacked: 200 * MB,
  ratio: 200,
  blocks: 500_000,
};
