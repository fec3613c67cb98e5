import canonicalize from "canonicalize";

/** The members of a JSON object; none if the text is another JSON value. Throws a SyntaxError if it is not JSON. */
export function membersIn(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A JSON text in canonical form (RFC 8785); undefined for what is not JSON, or cannot be canonical (lone surrogates). */
export function canonicalForm(text: string): string | undefined {
  try {
    return canonicalize(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * The first member name (as it reads once its escapes are resolved) that occurs twice in one object of a JSON text; null if none does. Such a text is ambiguous: a
 * person reads the first, a parser keeps the last (RFC 8259, section 4). Of a text that is not JSON the answer means nothing.
 */
export function repeatedName(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  let [start, end] = [0, 0]; // of the last string
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '"') {
      start = at;
      end = endOfString(json, at);
      at = end - 1;
    } else if (char === "{") open.push(new Set());
    else if (char === "[") open.push(null);
    else if (char === "}" || char === "]") open.pop();
    else if (char === ":") {
      const name = String(JSON.parse(json.slice(start, end)));
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}

/** Where a string of a JSON text ends, behind its quotation mark. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const char = json[at];
    if (char === '"') return at + 1;
    if (char === "\\") at++;
  }
  return json.length;
}
