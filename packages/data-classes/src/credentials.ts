/** Signs that a text holds a credential, stricter than `scanText`: a refused definition costs less than a leaked key, so that checksums and randomness are not asked for. */

/** Headers that carry credentials (RFC 9110 section 11, RFC 6265) or commonly do. */
const HEADERS = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-amz-security-token",
  "x-goog-api-key",
  "ocp-apim-subscription-key",
]);
const WORDS = /(?:^|[-_.])(?:api[-_]?key|access[-_]?key|secret|token|password|passwd|credentials?|auth)(?:$|[-_.])/i;
/** Formats that vendors document for their keys; ours among them. Each takes linear time. */
const FORMATS = [
  /\bsk-[A-Za-z0-9_-]{20}/,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /\bgh[oprsu]_[A-Za-z0-9]{20}/,
  /\bgithub_pat_[A-Za-z0-9_]{20}/,
  /\bglpat-[A-Za-z0-9_-]{16}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{30}/,
  /\baos_(?:dev|stg|prd)_[A-Za-z0-9]{30}/,
  /\bwhsec_[A-Za-z0-9+/=]{20}/,
  /\beyJ[A-Za-z0-9_-]{10,200}\.eyJ[A-Za-z0-9_-]{10}/,
  /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----/,
];

/** Whether a header or a query parameter of this name carries a credential. */
export function namesCredential(name: string): boolean {
  return HEADERS.has(name.toLowerCase()) || WORDS.test(name);
}

/** Whether a text holds a credential in a format that is known. */
export function holdsCredential(text: string): boolean {
  return FORMATS.some((format) => format.test(text));
}

/** Units behind the sure part of a credential that may still belong to it. */
const LONGEST_REST = 300;
const REST = /[A-Za-z0-9_+/=.-]/;

/** Where credentials in a known format stand in a text, per format in order; `end` is behind the last unit. Linear in the text. */
export function credentialsIn(text: string): { readonly start: number; readonly end: number }[] {
  return FORMATS.flatMap((format) =>
    [...text.matchAll(new RegExp(format.source, "g"))].map(({ index, 0: sure }) => {
      let end = index + sure.length;
      while (end - index < LONGEST_REST && REST.test(text.charAt(end))) end++;
      return { start: index, end };
    }),
  );
}
