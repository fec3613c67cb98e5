/** The longest that a call waits because its caller prefers so. */
export const longestWait = 60;

const wait = /^wait[ \t]*=[ \t]*(?:"(\d{1,9})"|(\d{1,9}))[ \t]*(?:;|$)/i;

/**
 * The seconds of `Prefer: wait=n` (RFC 7240 section 4.3), at most `longestWait`; 0 where it is not there. Preferences are wishes: what cannot be
 * understood is passed over (section 2), and of one that is given twice the first counts.
 */
export function secondsToWait(prefer: string | null): number {
  if (prefer === null) return 0;
  for (const preference of prefer.split(",")) {
    const match = wait.exec(preference.trim());
    if (match) return Math.min(longestWait, Number(match[1] ?? match[2]));
  }
  return 0;
}

/** Whether a call asks to wait, by the header or by `wait=n` in its query, which is not judged yet. */
export const asksToWait = ({ prefer, query }: { readonly prefer: string | null; readonly query: string }): boolean =>
  secondsToWait(prefer) > 0 || /(?:^|&)wait=0*[1-9]/.test(query);
