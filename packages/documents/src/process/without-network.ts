import { registerHooks } from "node:module";

const names =
  /^(node:)?(net|tls|http|https|http2|dgram|dns|inspector|cluster|child_process|worker_threads|vm|repl)(\/|$)/;

/** Takes the network away from what is loaded from now on, and the console. No reader needs them. Node's own permissions restrict the network from release 25 on. */
export function withoutNetwork(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (names.test(specifier)) throw new Error(`${specifier} is not available here`);
      return next(specifier, context);
    },
  });
  for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) Reflect.deleteProperty(globalThis, name);
  Object.defineProperty(process, "getBuiltinModule", { value: undefined });
  for (const name of ["log", "info", "warn", "error", "debug", "trace"] as const) console[name] = () => undefined;
}
