import { randomInt, randomUUID } from "node:crypto";
import { filteredEvent, passesFilter } from "../kernel/event-filter.ts";
import type { Scope } from "../kernel/principal.ts";
import { attempt } from "./attempt.ts";
import { Book } from "./book.ts";
import { type ClaimedRow, claimDue, claimPaced, type Wanted } from "./claim-store.ts";
import { readEndpoints } from "./endpoint-store.ts";
import { firstAttempt, planFanOut, planRecovery } from "./fan-out.ts";
import {
  type Claims,
  findScopes,
  makeCursor,
  readEvents,
  readStanding,
  type Standing,
  writeFanOut,
  writeRecovery,
} from "./fan-out-store.ts";
import { Lanes } from "./lanes.ts";
import { endFiltered, type Health } from "./outcome-store.ts";
import { disabledAfter } from "./schedule.ts";
import type { Claimed, DeliveryMachine, DeliveryOptions, Endpoint, Hopeless, Outcome } from "./types.ts";

/** How long a claim holds (milliseconds): longer than an attempt takes at most, with the writing of its outcome. */
export const claimMs = 30_000;
/** Events that are read at once. */
const eventBatch = 500;
/** How long a stop waits for the attempts that run (milliseconds). */
const drainMs = 5_000;
/** The least time between two rounds (milliseconds): what happens meanwhile is taken up together. */
const pauseMs = 2;

/** What is known of one environment. */
interface Place {
  readonly scope: Scope;
  epoch: number;
  /** Up to where events were fanned out, as far as this process knows. */
  cursor: number;
  /** When the owners of endpoints are looked at again, whatever changes until then. */
  again: number | null;
  endpoints: readonly Endpoint[];
  byId: ReadonlyMap<string, Endpoint>;
}

/** Builds the machine: fans events out to endpoints, attempts what is due, and writes what came of it. */
export function createDelivery(options: DeliveryOptions): DeliveryMachine {
  const machine = new Delivery(options);
  return { start: () => machine.start(), stop: () => machine.stop(), running: () => machine.running };
}

class Delivery {
  readonly #options: DeliveryOptions;
  readonly #random: () => number;
  readonly #by = `delivery_${randomUUID()}`;
  readonly #lanes = new Lanes();
  readonly #places = new Map<string, Place>();
  readonly #book: Book;
  readonly #attempts = new Set<Promise<void>>();
  readonly #aborting = new AbortController();
  /** Environments with events that may not be fanned out yet. */
  readonly #told = new Set<string>();
  #claimSoon = true;
  #raised = Promise.withResolvers<void>();
  #looked = Number.NEGATIVE_INFINITY;
  #stopping = false;
  #running: Promise<void> | null = null;
  #ends: (() => void)[] = [];

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#random = options.random ?? (() => randomInt(2 ** 32) / 2 ** 32);
    const { pool, clock, report } = options;
    this.#book = new Book({ pool, clock, report, by: this.#by, written: (health) => this.#judge(health) });
  }

  get running(): number {
    return this.#lanes.running;
  }

  start(): void {
    this.#ends = [
      this.#options.onSequenced((scope, newest) => {
        if (this.#placeOf(scope).cursor < newest) this.#tell(scope);
      }),
      this.#options.onDue(() => this.#wake()),
    ];
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const end of this.#ends) end();
    this.#raise();
    await this.#running;
    const limit = setTimeout(() => this.#aborting.abort(), drainMs);
    await Promise.all(this.#attempts);
    clearTimeout(limit);
    await this.#book.close();
  }

  #raise(): void {
    this.#raised.resolve();
  }

  /** Has what is due looked for at once, with endpoints as they are now. */
  #wake(): void {
    this.#claimSoon = true;
    for (const key of this.#places.keys()) this.#told.add(key);
    this.#raise();
  }

  /** Has an environment looked at: it has news, or its endpoints changed. */
  #tell(scope: Scope): void {
    this.#told.add(keyOf(scope));
    this.#raise();
  }

  async #run(): Promise<void> {
    const pollMs = this.#options.pollMs ?? 500;
    while (!this.#stopping) {
      this.#raised = Promise.withResolvers();
      let busy = false;
      try {
        busy = await this.#round(pollMs);
      } catch (error) {
        this.#options.report(error);
        await within(pollMs);
      }
      await within(pauseMs);
      if (!busy) await within(Math.max(1, this.#looked + pollMs - performance.now()), this.#raised.promise);
    }
  }

  /** One step of everything that is to be done; whether there may be more at once. */
  async #round(pollMs: number): Promise<boolean> {
    const looking = performance.now() - this.#looked >= pollMs;
    if (looking) {
      this.#looked = performance.now();
      for (const scope of await findScopes(this.#options.pool)) this.#placeOf(scope);
    }
    let busy = false;
    for (const [key, place] of this.#places) {
      const told = this.#told.delete(key);
      if (looking || told) busy = (await this.#fanOut(place)) || busy;
      busy = (await this.#recover(place)) || busy;
    }
    const all = looking || this.#claimSoon;
    this.#claimSoon = false;
    for (const place of this.#places.values()) await this.#claim(place, all);
    return busy;
  }

  #placeOf(scope: Scope): Place {
    const key = keyOf(scope);
    let place = this.#places.get(key);
    if (!place) {
      place = { scope, epoch: -1, cursor: 0, again: null, endpoints: [], byId: new Map() };
      this.#places.set(key, place);
    }
    return place;
  }

  /** Fans out the next events of an environment; whether there may be more. */
  async #fanOut(place: Place): Promise<boolean> {
    const { pool, newId } = this.#options;
    const { scope } = place;
    const standing = await readStanding(pool, scope);
    if (!standing) return false;
    await this.#renew(place, standing);
    const { cursor, newest, checkpoint } = standing;
    if (cursor === null) {
      await makeCursor(pool, scope);
      this.#tell(scope);
      return true;
    }
    place.cursor = cursor;
    if (cursor >= newest) return false;
    const events = place.endpoints.length === 0 ? [] : await readEvents(pool, scope, cursor, newest, eventBatch);
    const { deliveries, upTo } = planFanOut(events, place.endpoints, this.#lanes, newId);
    const to = events.length === 0 ? newest : upTo;
    const moved = await writeFanOut(pool, scope, { from: cursor, to }, deliveries, this.#claims());
    if (moved) {
      place.cursor = to;
      for (const made of deliveries) if (made.claimed) this.#begin(place, firstAttempt(made, scope, checkpoint));
    }
    if (to < newest) this.#tell(scope);
    return to < newest;
  }

  /** Reads endpoints again where they changed, without those whose owners may not go on. */
  async #renew(place: Place, { epoch }: Standing): Promise<void> {
    const { pool, clock, credentialKey, report, lookAtOwners } = this.#options;
    if (place.epoch === epoch && (place.again === null || clock.now() < place.again)) return;
    const { stopped, again } = await lookAtOwners(place.scope);
    const endpoints = await readEndpoints(pool, place.scope, credentialKey, report);
    place.endpoints = endpoints.filter(({ id }) => !stopped.includes(id));
    // A stop that fails is tried again.
    place.again = stopped.length === 0 ? again : Math.min(again ?? Number.POSITIVE_INFINITY, clock.now() + claimMs);
    for (const id of stopped) this.#disable(place.scope, id, { reason: "stopped" });
    place.byId = new Map(place.endpoints.map((endpoint) => [endpoint.id, endpoint]));
    place.epoch = epoch;
    for (const { id } of place.endpoints) this.#lanes.of(id).backlog = true; // whatever waits for one that was paused
  }

  /** Looks through the next events for those that endpoints missed; whether there may be more. */
  async #recover(place: Place): Promise<boolean> {
    const { pool, newId } = this.#options;
    let busy = false;
    for (const endpoint of place.endpoints) {
      if (endpoint.recovery === null) continue;
      const { after, to } = endpoint.recovery;
      const events = await readEvents(pool, place.scope, after, to, eventBatch);
      const upTo = events.at(-1)?.sequence ?? to;
      const done = events.length < eventBatch || upTo >= to;
      const deliveries = planRecovery(events, endpoint, newId);
      const range = { from: after, to: upTo, done };
      const moved = await writeRecovery(pool, place.scope, endpoint.id, range, deliveries, this.#claims());
      this.#replace(place, { ...endpoint, recovery: done || !moved ? null : { after: upTo, to } });
      if (!moved) place.epoch = -1; // another process does it, or the range is another one: read again
      this.#lanes.of(endpoint.id).backlog = true;
      busy ||= !done;
    }
    return busy;
  }

  #replace(place: Place, endpoint: Endpoint): void {
    place.endpoints = place.endpoints.map((one) => (one.id === endpoint.id ? endpoint : one));
    place.byId = new Map(place.endpoints.map((one) => [one.id, one]));
  }

  /** Claims what is due and begins it: for all endpoints, or only for those of which more is known to wait. */
  async #claim(place: Place, all: boolean): Promise<void> {
    const { pool } = this.#options;
    const room = this.#lanes.room();
    if (room === 0) return;
    const wanting = place.endpoints.filter(({ id }) => {
      const lane = this.#lanes.of(id);
      return (all || lane.backlog) && this.#lanes.wants(lane);
    });
    // Many that want share the room; the turn goes round, so that the first of the list has no advantage.
    const share = Math.max(1, Math.floor(room / Math.max(1, wanting.length)));
    const turn = wanting.length === 0 ? 0 : Math.floor(this.#random() * wanting.length);
    const wanted = [...wanting.slice(turn), ...wanting.slice(0, turn)].map(({ id: webhook, rate }) => ({
      webhook,
      rate,
      most: Math.min(share, this.#lanes.roomOf(this.#lanes.of(webhook))),
    }));
    const plain = wanted.filter(({ rate }) => rate === null);
    if (plain.length > 0) {
      const claimed = await claimDue(pool, place.scope, plain, room, this.#claims());
      await this.#take(place, claimed);
      this.#noteBacklog(plain, claimed, room);
    }
    const paced = wanted.flatMap(({ rate, ...one }) => (rate === null ? [] : [{ ...one, rate }]));
    if (paced.length > 0) {
      const claimed = await claimPaced(pool, place.scope, paced, this.#claims());
      await this.#take(place, claimed);
      this.#noteBacklog(paced, claimed, Number.POSITIVE_INFINITY); // one that got less has no more, or waits for its rate: the next look is soon enough
    }
  }

  /**
   * Begins what was claimed. What an endpoint does not get any more is ended instead: it may have been made before the endpoint was changed, and where it goes and
   * what it gets are held together here.
   */
  async #take(place: Place, claimed: readonly ClaimedRow[]): Promise<void> {
    const { pool, clock } = this.#options;
    const filtered: ClaimedRow[] = [];
    for (const one of claimed) {
      const endpoint = place.byId.get(one.webhook);
      if (one.lost && endpoint) this.#book.add(lostOutcome(one, endpoint, clock.now()));
      if (endpoint && !mayGo(endpoint, one)) filtered.push(one);
      else this.#begin(place, one);
    }
    if (filtered.length === 0) return;
    this.#wake(); // there was room for as many others
    await endFiltered(pool, this.#by, clock.now(), place.scope, filtered);
  }

  /** More may wait for those that got as much as they wanted, and for all where the room was used up before their turn. */
  #noteBacklog(wanted: readonly Wanted[], claimed: readonly ClaimedRow[], room: number): void {
    const found = Map.groupBy(claimed, ({ webhook }) => webhook);
    const cut = claimed.length >= room;
    for (const { webhook, most } of wanted)
      this.#lanes.of(webhook).backlog = cut || (found.get(webhook)?.length ?? 0) >= most;
  }

  #claims(): Claims {
    const now = this.#options.clock.now();
    return { by: this.#by, now, until: now + claimMs };
  }

  #begin(place: Place, claimed: Claimed): void {
    const endpoint = place.byId.get(claimed.webhook);
    if (!endpoint) return; // disabled in this moment: the claim lapses, and the delivery waits
    const lane = this.#lanes.of(claimed.webhook);
    const end = this.#lanes.begin(lane);
    const { clock, send, report } = this.#options;
    const running = attempt({ clock, send, random: this.#random }, endpoint, claimed, this.#aborting.signal)
      .then(({ outcome, gone }) => {
        end(outcome.error === null);
        this.#book.add(outcome);
        if (gone)
          this.#disable(place.scope, claimed.webhook, { reason: "gone", url: outcome.url, askedAt: outcome.startedAt });
      })
      .catch((error: unknown) => {
        end(false);
        report(error);
      })
      .finally(() => {
        this.#attempts.delete(running);
        if (lane.backlog && this.#lanes.wants(lane)) this.#raise();
      });
    this.#attempts.add(running);
  }

  /** Disables endpoints of which nothing but failure was heard for days. */
  #judge(health: readonly Health[]): void {
    const limit = this.#options.clock.now() - disabledAfter;
    for (const { organization, environment, webhook_id, failing_since } of health) {
      if (failing_since === null || failing_since.getTime() > limit) continue;
      this.#disable({ organization, environment }, webhook_id, { reason: "failing", since: failing_since.getTime() });
    }
  }

  #disable(scope: Scope, webhook: string, why: Hopeless): void {
    const disabling: Promise<void> = this.#options
      .disable(scope, webhook, why)
      .catch((error: unknown) => this.#options.report(error))
      .then(() => {
        this.#attempts.delete(disabling);
        this.#tell(scope);
      });
    this.#attempts.add(disabling);
  }
}

/** Whether an endpoint gets a delivery as it is now; a test goes wherever somebody sent it. */
const mayGo = ({ filter }: Endpoint, claimed: Claimed): boolean =>
  claimed.sequence === null || passesFilter(filter, filteredEvent(claimed));

const keyOf = ({ organization, environment }: Scope): string => `${organization} ${environment}`;

/** An attempt of which nobody knows what came of it. */
function lostOutcome({ scope, webhook, id, number }: ClaimedRow, { url, format }: Endpoint, now: number): Outcome {
  return {
    claimed: { scope, webhook, id, number: number - 1 },
    startedAt: now - claimMs,
    latencyMs: null,
    url,
    format,
    signature: "",
    status: null,
    error: "interrupted",
    ...{
      detail: "The service ended in the middle of the attempt; whether the endpoint received it is not known.",
      excerpt: null,
      fate: null,
    },
  };
}

/** Waits so long (milliseconds), or less where a promise resolves. */
async function within(ms: number, promise?: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await (promise ? Promise.race([promise, over.promise]) : over.promise);
  clearTimeout(timer);
}
