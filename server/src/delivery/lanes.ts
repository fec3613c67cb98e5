// How many attempts run at a time: enough for every endpoint that takes what it is sent, and few for one that does not, so that it delays nobody but itself.

/** Attempts that one endpoint gets at a time: while it answers soon, while one of its attempts takes long, and after one has failed. */
export const perEndpoint = { healthy: 32, slow: 2, failing: 1 } as const;
/** An attempt that runs for so long takes long (milliseconds). */
const slowAfter = 1_000;
/** Attempts of one process at a time: such as began within `slowAfter`, which compete for processor and database, and all. */
const most = { young: 256, all: 4_096 } as const;

/** What is known of an endpoint while the process runs. */
export interface Lane {
  running: number;
  slow: number;
  failing: boolean;
  /** More may be due than was claimed. */
  backlog: boolean;
}

interface Running {
  readonly lane: Lane;
  readonly since: number;
  done: boolean;
  young: boolean;
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** In the order in which they began; those that are no longer young have left it. */
  readonly #recent: Running[] = [];
  #young = 0;
  #all = 0;

  get running(): number {
    return this.#all;
  }

  /** The lane of an endpoint. */
  of(webhook: string): Lane {
    let lane = this.#lanes.get(webhook);
    if (!lane) {
      lane = { running: 0, slow: 0, failing: false, backlog: false };
      this.#lanes.set(webhook, lane);
    }
    return lane;
  }

  /** Begins an attempt; answers the function that ends it with whether it went well. */
  begin(lane: Lane): (well: boolean) => void {
    const one: Running = { lane, since: performance.now(), done: false, young: true };
    this.#recent.push(one);
    lane.running++;
    this.#young++;
    this.#all++;
    return (well) => {
      one.done = true;
      lane.running--;
      this.#all--;
      if (one.young) this.#young--;
      else lane.slow--;
      lane.failing = !well;
    };
  }

  /** How many more attempts the process can begin now. */
  room(): number {
    this.#age();
    return Math.max(0, Math.min(most.young - this.#young, most.all - this.#all));
  }

  /** How many more attempts an endpoint gets now. */
  roomOf({ running, slow, failing }: Lane): number {
    const cap = failing ? perEndpoint.failing : slow > 0 ? perEndpoint.slow : perEndpoint.healthy;
    return Math.max(0, cap - running);
  }

  /** Whether it is worth while to claim for an endpoint: of a busy one not every single attempt that has ended. */
  wants(lane: Lane): boolean {
    const room = this.roomOf(lane);
    return room > 0 && (lane.running === 0 || room >= perEndpoint.healthy / 2 || lane.slow > 0);
  }

  /** Those that began a while ago are no longer young. */
  #age(): void {
    const limit = performance.now() - slowAfter;
    for (
      let first = this.#recent[0];
      first !== undefined && (first.done || first.since <= limit);
      first = this.#recent[0]
    ) {
      this.#recent.shift();
      if (first.done) continue;
      first.young = false;
      first.lane.slow++;
      this.#young--;
    }
  }
}
