/** What policies need to know of an action. */
export interface ActionTraits {
  /**
   * No policy can deny it or put it under approval, so that nobody is locked out of what undoes a policy: policy administration, kill switches, pauses,
   * revocation of keys, reading the audit log. What a policy would have done is recorded as exempt.
   */
  readonly neverDenied?: true;
  /** It can wait for people; where another action would need approval, it is refused. */
  readonly waits?: true;
  /** Its calls carry an input that policies see. */
  readonly carriesInput?: true;
}

const declared = new Map<string, ActionTraits>();

/** Enters the actions of a slice; `defineSlice` does it. */
export function declareActions(actions: Readonly<Record<string, ActionTraits>>): void {
  for (const [action, traits] of Object.entries(actions)) declared.set(action, traits);
}

/** Every action that a policy's scope can name, in alphabetical order. */
export function knownActions(): string[] {
  return [...declared.keys()].sort();
}

/** What its slice says of an action; nothing where no slice declares it. */
export function traitsOf(action: string): ActionTraits {
  return declared.get(action) ?? {};
}
