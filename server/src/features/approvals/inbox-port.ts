import type { InboxSource } from "../../kernel/inbox.ts";
import { definePort } from "../../kernel/port.ts";

/** What waits for people in other slices. */
export const inboxSources = definePort<readonly InboxSource[]>("what waits for people");
