import type { Arrangements } from "./arranged.ts";
import * as widget from "./chat-widget.ts";

export const arrange: Arrangements = { ...widget.arrange };
