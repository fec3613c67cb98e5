/** What wiring joins to tasks; what other slices ask of approvals is in `requests/public.ts`. */
export { resubmit } from "./decisions/rounds.ts";

export { inboxSources } from "./inbox/store.ts";
export { rulesAsking } from "./rules/store.ts";
