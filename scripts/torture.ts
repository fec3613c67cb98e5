/**
 * What `npm run torture` runs: the tests that kill every process of a service under load with SIGKILL, start it again, and look for what was lost or done twice.
 * Twenty rounds, or as many as AOS_KILL_ROUNDS says; each prints what it found.
 */
process.env.AOS_KILL_ROUNDS ??= "20";
process.argv.splice(2, Number.POSITIVE_INFINITY, "server/test/failure/kill.slow.test.ts");
await import("./test.ts");
