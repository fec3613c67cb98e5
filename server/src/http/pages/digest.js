// The digest of what is shown, computed here as the service computes it: SHA-256 of the canonical JSON (RFC 8785).

/** Canonical JSON of a parsed value: members sorted by UTF-16 code units, no space, numbers as ECMAScript writes them. */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}

/** Whether the digest is that of the action; null where this browser cannot tell, because the page did not come over a secure connection. */
export async function digestFits(action, digest) {
  if (!globalThis.crypto?.subtle) return null;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(action)));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex === digest;
}
