import type { Scope } from "../../kernel/principal.ts";
import type { OpenConnection } from "./connections-model.ts";

export type { ConnectionHeaders, OpenConnection } from "./connections-model.ts";

/** What a try of a connection came to; `code` null: it works. */
export interface Probe {
  readonly code: string | null;
  /** One sentence for people, without the secret. */
  readonly detail: string;
}

/** What connections need of the machines. */
export interface ConnectionPort {
  /** Under which secrets are sealed. */
  readonly credentialKey: Buffer;
  /**
   * Really calls what a connection leads to, from its environment: asks the model, where one is named, else lists models or fetches the address. Never throws,
   * ends within 20 s. Null: too many are being tried at this moment.
   */
  probe(scope: Scope, connection: OpenConnection, model: string | null, signal: AbortSignal): Promise<Probe | null>;
}
