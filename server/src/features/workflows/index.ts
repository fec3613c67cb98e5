export { createHookProof, type HookCall, type ProveHook } from "./hook-proof.ts";
