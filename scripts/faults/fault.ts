/** A fault to plant: one piece of a file's text replaced by another, and the tests that should fail then. */
export interface Fault {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files. */
  readonly tests: readonly string[];
  /** A pattern of test titles, where the files hold many others. */
  readonly only?: string;
}

/** The text of a file with its fault. Throws where what it replaces is no longer there exactly once. */
export function planted(text: string, { name, file, find, replace }: Fault): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`The text that ${name} replaces is in ${file} ${parts.length - 1} times: update scripts/faults/.`);
  return parts.join(replace);
}
