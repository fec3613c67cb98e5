import fc from "fast-check";
import { beforeAll } from "vitest";
import { leaveOtherSlices } from "./slices.ts";

// Before each test file: how often a property is tried that does not ask for fewer runs itself because each of its runs is expensive.
fc.configureGlobal({ numRuns: Number(process.env.AOS_PROPERTY_RUNS || 50) });

// biome-ignore lint/correctness/noEmptyPattern: Vitest demands a pattern there, and gives the file as the second argument.
beforeAll(({}, { file }) => leaveOtherSlices(file.filepath));
