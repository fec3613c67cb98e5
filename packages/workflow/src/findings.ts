/** Something that is wrong with a workflow, or that deserves a look. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** JSON Pointer into the file. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  /** Where in the expression at the pointer, in UTF-16 units from its start; left out: the value as a whole. */
  readonly offset?: number;
}

export const errorAt = (pointer: string, code: string, detail: string, offset?: number): Finding => ({
  severity: "error",
  pointer,
  code,
  detail,
  ...(offset !== undefined && { offset }),
});

export const warningAt = (pointer: string, code: string, detail: string): Finding => ({
  severity: "warning",
  pointer,
  code,
  detail,
});

/** A member of a JSON Pointer. */
export const under = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
