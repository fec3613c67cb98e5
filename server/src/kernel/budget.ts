/** What a call may use of budgets, at most: whole pieces, and money in US dollars. An absent member is none. */
export interface Demand {
  readonly tasks?: number;
  readonly steps?: number;
  readonly tokens?: number;
  readonly usd?: number;
  /** It costs money, and nobody knows how much: no limit of money could hold. */
  readonly usdUnknown?: true;
  /** Where its price stands, and as of when. */
  readonly price?: string;
}

/** What a call says that used nothing of what was reserved for it: a unit that it does not name counts as used up. */
export const nothingUsed = { tasks: 0, steps: 0, tokens: 0, usd: 0 } as const satisfies Demand;

/** Whose budgets are charged besides those of agent and environment. Of a run's calls it is who dispatched the task. */
export interface Payer {
  /** Null: no key, as of the service's own jobs. */
  readonly keyId: string | null;
  readonly principal: string;
}

/** Who is charged for a call, and with how much. */
export interface Spending extends Payer {
  readonly agent: string;
  readonly demand: Demand;
}

/** A part of budgets that is held for one call. It ends once, by one of these; a second end is without effect. */
export interface Reservation {
  /** When it was made, in milliseconds since the epoch, by the time that windows follow. */
  readonly at?: number;
  /** Counts as used: `actual`, or, where the call did not say, all that was reserved. */
  settle(actual?: Demand): void;
  /** Nothing was used. */
  release(): void;
}
