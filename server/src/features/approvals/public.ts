export { inboxSources } from "./inbox-port.ts";
/** What wiring joins to tasks; what other slices ask of approvals is in `requests/public.ts`. */
export { resubmit } from "./rounds.ts";
