import { hash, randomBytes } from "node:crypto";

// What HTTP, stages and slice share about the portal's sessions and the one-time links that open them.

const minute = 60_000;
const hour = 60 * minute;

/** How long a session lasts after its last use, how long at most, and how much later its end has to lie before that is written (milliseconds). */
export const sessionTimes = { idle: 12 * hour, most: 7 * 24 * hour, written: hour } as const;

/** How long a one-time link opens a session (milliseconds). */
export const linkLasts = 15 * minute;

/** When a session ends that was opened at one time and used at another (milliseconds since the epoch). */
export function sessionEnd(openedAt: number, usedAt: number): number {
  return Math.min(usedAt + sessionTimes.idle, openedAt + sessionTimes.most);
}

/** A text that nobody guesses: 256 random bits in base64url, 43 characters. */
export function drawSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether a text can be one of those. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** What is kept of such a secret: its SHA-256, in hexadecimal. It has 256 random bits, so that a slow hash would add nothing. */
export function hashOfSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}
