import { hasAtMost } from "@aos/text";

/** Whether a text looks like an e-mail address: one @ between a name and a host with a dot, no spaces (RFC 5321 limits the length). */
export function isAddress(text: string): boolean {
  return (
    hasAtMost(254, text) && /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\_]+\.[^\s@<>"(),:;[\]\\_.]{2,}$/u.test(text)
  );
}
