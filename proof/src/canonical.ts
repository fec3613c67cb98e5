import canonicalize from "canonicalize";

/** A JSON text in canonical form (RFC 8785); undefined for what is not JSON, or cannot be canonical (lone surrogates). */
export function canonicalForm(text: string): string | undefined {
  try {
    return canonicalize(JSON.parse(text));
  } catch {
    return undefined;
  }
}
