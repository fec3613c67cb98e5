import type { Arrangements } from "./arranged.ts";
import * as stream from "./chat-stream.ts";

export const arrange: Arrangements = { ...stream.arrange };
