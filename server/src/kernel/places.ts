/** Places in this process by who takes them: so many each, so that nobody takes those of all others. */
export interface Places {
  /** Takes a place; answers how to give it back, once. Null where that caller has as many as one may. */
  take(caller: string): (() => void) | null;
}

/** Places, so many of each caller. */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  const giveBack = (caller: string): void => {
    const left = (taken.get(caller) ?? 1) - 1;
    if (left > 0) taken.set(caller, left);
    else taken.delete(caller);
  };
  return {
    take(caller) {
      const already = taken.get(caller) ?? 0;
      if (already >= most) return null;
      taken.set(caller, already + 1);
      let here = true;
      return () => {
        if (here) giveBack(caller);
        here = false;
      };
    },
  };
}
