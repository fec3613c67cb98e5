export { receiveHook } from "./hooks/operations/receive-hook.ts";
export { createHookProof, type HookCall, type ProveHook } from "./hooks/proof.ts";
