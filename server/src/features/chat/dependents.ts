import type { DependentSource } from "../agents/public.ts";

/** The channels whose conversations an agent answers. */
export const dependentChannels: DependentSource = {
  kind: "channel",
  permission: "chat:read",
  async find({ scope, db }, agent, _within, take) {
    const rows = await db.query<{ name: string; enabled: boolean }>(
      `select name, enabled from chat_channels where organization = $1 and environment = $2 and agent = $3 order by name limit $4`,
      [scope.organization, scope.environment, agent, take],
    );
    return rows.map(({ name, enabled }) => ({
      ...{ id: name, name, state: enabled ? "enabled" : "disabled", active: enabled, path: "/v1/chat/channels" },
    }));
  },
};
