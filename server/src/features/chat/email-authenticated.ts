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
    const [name = "", ...results] = withoutComments(value).split(";");
    if (name.trim().split(/\s+/)[0]?.toLowerCase() !== server.toLowerCase()) continue;
    const dmarc = results.map((result) => result.trim().toLowerCase()).find((result) => /^dmarc\s*=/.test(result));
    if (dmarc === undefined) continue;
    const properties = dmarc.split(/\s+/);
    return /^dmarc\s*=\s*pass(\s|$)/.test(dmarc) && properties.includes(`header.from=${domain}`);
  }
  return false;
}

/** Comments stand in brackets, which can be nested. Nothing in them counts, nor in an unfinished one. */
function withoutComments(text: string): string {
  let depth = 0;
  let out = "";
  for (const character of text.slice(0, 10_000)) {
    if (character === "(") depth += 1;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) out += character;
  }
  return out;
}
