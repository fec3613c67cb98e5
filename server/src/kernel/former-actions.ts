// Recorded contexts keep the names that actions had when the call was made: records never change.

const former: Readonly<Record<string, string>> = {
  "kill_switch.read": "stop.read",
  "kill_switch.engage": "stop.engage",
  "kill_switch.release": "stop.release",
  "approval.bulk": "approval.batch",
  "review.submit": "review.give",
};
const present = new Map(Object.entries(former).map(([now, before]) => [before, now]));

/** The names under which contexts of these actions are recorded. */
export const recordedNames = (actions: readonly string[]): string[] =>
  actions.flatMap((action) => (Object.hasOwn(former, action) ? [action, former[action] as string] : [action]));

/** Today's name of an action that a recorded context names. */
export const presentName = (action: string): string => present.get(action) ?? action;
