/** The members of a JSON object; none if the text is another JSON value. Throws a SyntaxError if it is not JSON. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
