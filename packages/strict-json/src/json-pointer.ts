/** JSON Pointer (RFC 6901): the way in which every fault names its place in a body. */

/** One reference token, escaped as RFC 6901 section 3 says: `~` becomes `~0`, `/` becomes `~1`. */
export function escapeToken(token: string): string {
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

/** The pointer that leads through `tokens` from the root; no tokens give `""`, the whole document. */
export function pointerOf(tokens: readonly (string | number)[]): string {
  let pointer = "";
  for (const token of tokens) pointer += `/${typeof token === "number" ? token : escapeToken(token)}`;
  return pointer;
}

/**
 * The tokens of a pointer, unescaped. `null` when the text is no JSON Pointer: it does not begin with `/`,
 * or a `~` is followed by neither `0` nor `1`.
 */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The value that a pointer names in a JSON document, or `undefined` when there is none (or the text is no pointer).
 * Only own members are followed, and array indexes are decimal without leading zeros (RFC 6901 section 4).
 */
export function resolvePointer(document: unknown, pointer: string): unknown {
  const tokens = parsePointer(pointer);
  if (tokens === null) return undefined;
  let value: unknown = document;
  for (const token of tokens) {
    if (Array.isArray(value)) {
      if (!/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
      value = value[Number(token)];
    } else if (typeof value === "object" && value !== null && Object.hasOwn(value, token)) {
      value = (value as Record<string, unknown>)[token];
    } else {
      return undefined;
    }
  }
  return value;
}
