import type { KeyObject } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { createPool } from "../db/pool.ts";
import { systemClock } from "../kernel/clock.ts";
import { createLogMac } from "./mac.ts";
import { createPins } from "./pins.ts";
import type { Sequenced, SequencerLog, Stopped } from "./progress.ts";
import type { LogScope } from "./scope.ts";
import { createSequencer, type SequencerStatus } from "./sequencer.ts";
import { createSigner } from "./signer.ts";

// What runs in the sequencer's thread; `sequencer-thread.ts` starts it and speaks with it.

export interface ThreadData {
  readonly connectionString: string;
  readonly installation: string;
  /** Null: the database has lost it. */
  readonly signingKey: KeyObject | null;
  readonly keyName: string;
  readonly macKey: Uint8Array;
  /** The folder of the pinned heads. */
  readonly pins: string;
}

/** What the process tells the thread. */
export type Order = { readonly wake: LogScope | null } | "start" | "stop";

/** What the thread tells the process. */
export type Report =
  | { readonly sequenced: Sequenced; readonly status: SequencerStatus }
  | { readonly stopped: Stopped }
  | { readonly level: "info" | "warn" | "error"; readonly message: string };

function run(port: NonNullable<typeof parentPort>, data: ThreadData): void {
  const { connectionString, installation, signingKey, keyName } = data;
  const say = (level: "info" | "warn" | "error") => (message: string) =>
    port.postMessage({ level, message } satisfies Report);
  const log: SequencerLog = { info: say("info"), warn: say("warn"), error: say("error") };
  const pool = createPool({ connectionString, applicationName: "aos-sequencer", log, max: 3 });
  const sequencer = createSequencer({
    pool,
    installation,
    keyName,
    clock: systemClock,
    log,
    signer: signingKey && createSigner(signingKey),
    mac: createLogMac(data.macKey),
    pins: createPins(data.pins),
  });
  sequencer.onStopped((stopped) => port.postMessage({ stopped } satisfies Report));
  sequencer.onSequenced((sequenced) => port.postMessage({ sequenced, status: sequencer.status() } satisfies Report));
  const end = async (): Promise<void> => {
    await sequencer.stop();
    await pool.end();
    port.close();
  };
  port.on("message", (order: Order) => {
    if (order === "start") sequencer.start();
    else if (order === "stop") void end();
    else sequencer.wake(order.wake ?? undefined);
  });
}

if (parentPort) run(parentPort, workerData as ThreadData);
