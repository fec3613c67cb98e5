import fc from "fast-check";

// Before each test file: how often a property is tried that does not ask for fewer runs itself because each of its runs is expensive.
fc.configureGlobal({ numRuns: Number(process.env.AOS_PROPERTY_RUNS || 100) });
