import { leads } from "./leads.ts";
import { routing } from "./routing.ts";
import { runJourney } from "./run.ts";

// What `npm run journey:leads` and `npm run journey:routing` run.

const journeys = [leads, routing];
const [name, ...args] = process.argv.slice(2);
const journey = journeys.find((one) => one.name === name);
if (journey) process.exitCode = await runJourney(journey, args);
else {
  process.stderr.write(`Name a journey: ${journeys.map((one) => one.name).join(" or ")}.\n`);
  process.exitCode = 2;
}
