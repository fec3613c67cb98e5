// Whether the service answers: every call says so, and while none does it is asked in turns.

let lost = false;
const watchers = new Set<() => void>();

/** Told by every call: an answer came, or none did. */
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

/** Asks whether the service can serve again: one that lives without its database answers every call with a refusal. */
export async function askWhetherBack(): Promise<boolean> {
  const ready = await fetch("/readyz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (ready) noteConnection(true);
  return ready;
}
