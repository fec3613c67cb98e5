type Texts<N extends string> = { readonly [C in N]: string | null };

/**
 * Declares what columns hold that store JSON as text, and reads them: with `const taskJson = storedJson<{ risk: Risk }>()`, `taskJson(row, "risk")` is a `Risk`.
 * Null stays null. What the service has written is not validated again. Throws a SyntaxError if the text is not JSON.
 */
export const storedJson =
  <J extends object>() =>
  <N extends keyof J & string, R extends Texts<N>>(row: R, column: N): J[N] | Extract<R[N], null> => {
    const text = row[column];
    return (text === null ? null : JSON.parse(text)) as J[N] | Extract<R[N], null>;
  };

/** JSON of which nothing is known yet. Throws a SyntaxError if the text is not JSON. */
export const parseJson = (text: string): unknown => JSON.parse(text);

/** The same, with each text in it changed. */
export const jsonWithTexts = (json: string, change: (text: string) => string): unknown =>
  JSON.parse(json, (_name, value: unknown) => (typeof value === "string" ? change(value) : value));

/** An object as JSON has it: without members that are undefined, and without what TypeBox keeps under symbols. */
export const plainJson = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value));

/** The members of a JSON object; none if the text is another JSON value. Throws a SyntaxError if it is not JSON. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
