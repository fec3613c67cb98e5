/** A header field of a message. */
export interface Field {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

/**
 * Whether the operator's own mail server says that DMARC passed for the domain of an address (RFC 8601). Only fields with its name count, and of these the topmost that
 * says something of DMARC: whatever came with the message stands below.
 */
export function isAuthenticated(fields: readonly Field[], server: string | undefined, address: string): boolean {
  if (server === undefined) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  for (const { key, value } of fields) {
    if (key !== "authentication-results") continue;
    const plain = withoutTexts(value);
    const [name = "", ...results] = plain.text.split(";");
    if (name.trim().split(/\s+/)[0]?.toLowerCase() !== server.toLowerCase()) continue;
    const [dmarc, ...more] = results
      .map((result) => result.trim().toLowerCase())
      .filter((result) => /^dmarc\s*=/.test(result));
    if (!plain.isWhole || more.length > 0) return false;
    if (dmarc === undefined) continue;
    const properties = dmarc.split(/\s+/);
    return /^dmarc\s*=\s*pass(\s|$)/.test(dmarc) && properties.includes(`header.from=${domain}`);
  }
  return false;
}

/**
 * A field without its comments, which stand in brackets and can be nested, and without quoted strings: a sender can choose what they say. `isWhole`: each of them has an
 * end, so that none can hide what follows.
 */
function withoutTexts(field: string): { readonly text: string; readonly isWhole: boolean } {
  let depth = 0;
  let isQuoted = false;
  let text = "";
  for (const [piece] of field.slice(0, 10_000).matchAll(/\\.|./gsu)) {
    if (piece === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (piece === "(") depth += 1;
    else if (piece === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) text += piece;
  }
  return { text, isWhole: depth === 0 && !isQuoted && field.length <= 10_000 };
}
