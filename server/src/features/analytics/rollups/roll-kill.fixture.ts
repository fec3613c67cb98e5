import { createPool } from "../../../db/pool.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { noMeter } from "../../../kernel/metrics.ts";
import { Roller } from "./roller.ts";

// A process that does nothing but roll up, as fast as it can, until it is killed.
const log = { info: () => undefined, warn: () => undefined };
const pool = createPool({ connectionString: process.argv[2] as string, applicationName: "aos-test-roller", log });
const roller = new Roller({ pool, clock: systemClock, meter: noMeter, report: (error) => console.error(error) });
process.stdout.write("rolling\n");
for (;;) await roller.drain();
