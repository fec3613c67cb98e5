import type { Pool } from "pg";
import { type EndpointSight, roleNow, sightOfEndpoint } from "../db/endpoint-sight.ts";
import { openSecret } from "../db/webhook-secrets.ts";
import type { PayloadFormat } from "../kernel/event-format.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Endpoint } from "./types.ts";

interface EndpointRow extends EndpointSight {
  id: string;
  url: string;
  format: PayloadFormat;
  events: string[];
  agents: string[] | null;
  risks: string[] | null;
  rate_per_second: number | null;
  secret: Buffer;
  previous_secrets: Buffer[];
  previous_untils: Date[];
  starts_after: number;
  recover_after: number | null;
  recover_to: number | null;
}

/** The enabled endpoints of an environment. One whose secret does not open is reported and left out. */
export async function readEndpoints(
  pool: Pool,
  scope: Scope,
  key: Buffer,
  report: (error: unknown) => void,
): Promise<Endpoint[]> {
  const { rows } = await pool.query<EndpointRow>(
    `select id, url, format, events, agents, risks, withheld, sight, sight_of, ${roleNow("w")} as role_now,
       rate_per_second, secret, previous_secrets, previous_untils, starts_after, recover_after, recover_to
     from webhooks w where organization = $1 and environment = $2 and state = 'enabled' and removed_at is null`,
    [scope.organization, scope.environment],
  );
  return rows.flatMap((row) => {
    try {
      return [endpointOf(row, scope, key)];
    } catch (error) {
      report(error);
      return [];
    }
  });
}

function endpointOf(row: EndpointRow, scope: Scope, key: Buffer): Endpoint {
  const { id, url, format, events, agents, risks, previous_secrets, previous_untils } = row;
  return {
    id,
    url,
    format,
    filter: { events, agents, risks, ...sightOfEndpoint(row) },
    rate: row.rate_per_second,
    secret: openSecret(key, row.secret, scope, id),
    earlier: previous_secrets.map((one, at) => ({
      secret: openSecret(key, one, scope, id),
      until: (previous_untils[at] as Date).getTime(),
    })),
    startsAfter: row.starts_after,
    recovery: row.recover_after === null ? null : { after: row.recover_after, to: row.recover_to as number },
  };
}
