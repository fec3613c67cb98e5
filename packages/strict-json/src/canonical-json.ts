/**
 * The canonical JSON text of a plain value (RFC 8785): members sorted by the UTF-16 code units of their names, no space, numbers as
 * ECMAScript writes them. Members that are `undefined` are left out. For values made by this service; what comes from outside is hashed
 * after it passed the strict reader. Throws a TypeError for what JSON does not know (functions, symbols, bigints, NaN, infinities).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members: string[] = [];
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object).sort()) {
      const item = object[name];
      if (item !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(item)}`);
    }
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError("a number that is not finite has no JSON text");
  if (value === undefined || !["string", "number", "boolean", "object"].includes(typeof value)) {
    throw new TypeError(`a ${typeof value} has no JSON text`);
  }
  return JSON.stringify(value);
}
