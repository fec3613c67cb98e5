import { runSoak } from "./soak/run.ts";

// What `npm run soak` runs.

process.exitCode = await runSoak(process.argv.slice(2));
