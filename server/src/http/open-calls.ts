import type { ServerResponse } from "node:http";

/** The calls of a server that want to know when their caller has gone. */
export class OpenCalls {
  readonly #open = new Set<AbortController>();
  readonly #signals = new WeakMap<ServerResponse, AbortSignal>();
  #draining = false;

  /** Aborted when the response is closed, by its end or by the caller, or when the server drains. One for each response. */
  signalOf(response: ServerResponse | undefined): AbortSignal {
    const controller = new AbortController();
    if (response === undefined) return controller.signal;
    const known = this.#signals.get(response);
    if (known) return known;
    this.#signals.set(response, controller.signal);
    if (this.#draining || response.closed || response.destroyed) controller.abort();
    else {
      this.#open.add(controller);
      response.once("close", () => {
        this.#open.delete(controller);
        controller.abort();
      });
    }
    return controller.signal;
  }

  /** Whether the server stops: a connection is then closed with the answer that it carries. */
  get draining(): boolean {
    return this.#draining;
  }

  /** The server stops: whoever waits ends its wait, now and from now on. */
  drain(): void {
    this.#draining = true;
    for (const controller of this.#open) controller.abort();
    this.#open.clear();
  }
}
