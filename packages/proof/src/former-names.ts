// Audit records keep the names that operations and objects had when the call was made: their hashes are in the log.

const operations: Readonly<Record<string, string>> = {
  "governance.listKillSwitches": "governance.listStops",
  "governance.engageKillSwitch": "governance.engageStop",
  "governance.releaseKillSwitch": "governance.releaseStop",
  "tasks.submitInput": "tasks.giveInput",
  "tasks.submitFeedback": "tasks.giveFeedback",
  "evaluations.submitReview": "evaluations.giveReview",
};

/** The names under which records of an operation are found: its own, and the one that it had before. */
export const namesOfOperation = (name: string): string[] =>
  Object.hasOwn(operations, name) ? [name, operations[name] as string] : [name];

/** The names under which records about an object are found, such as `kill_switch:ksw_…`. */
export function namesOfObject(object: string): string[] {
  if (object === "kill_switches") return [object, "stops"];
  return object.startsWith("kill_switch:") ? [object, object.replace("kill_switch:", "stop:")] : [object];
}
