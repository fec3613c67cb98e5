// Whether the service answers: every call says so, and while none does it is asked in turns.

let lost = false;
const watchers = new Set<() => void>();

/** Set by every call: an answer came, or none did. */
export function noteConnection(answered: boolean): void {
  if (lost !== answered) return;
  lost = !answered;
  for (const each of watchers) each();
}

export const isLost = (): boolean => lost;

export function watchConnection(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/**
 * Whether to ask again for what was refused, called with each answer to whether the service is ready: at the first yes, then ever more rarely (the 2nd, 4th, 8th yes ...,
 * and every 32nd), for what fails while the service is ready may fail for long. From a no on again.
 */
export function askingAgain(): (ready: boolean) => boolean {
  let times = 0;
  return (ready) => {
    times = ready ? times + 1 : 0;
    return ready && (times % 32 === 0 || [1, 2, 4, 8, 16].includes(times));
  };
}

/** Asks whether the service can serve again: one that lives without its database answers every call with a refusal. */
export async function askWhetherBack(): Promise<boolean> {
  const ready = await fetch("/readyz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (ready) noteConnection(true);
  return ready;
}
