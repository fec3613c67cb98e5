import { whoami } from "./admin.ts";
import { useLive } from "./queries.ts";

/** What the session may do. It is asked again after five minutes, when somebody may have been given another role. */
export const ownRights = () => ({ ...whoami(), staleTime: 300_000 });

/** Says of a permission, such as `audit:read`, whether this session has it. Where that is not known, it has: the service judges each call in any case. */
export function useRights(): (permission: string) => boolean {
  const { data } = useLive(ownRights());
  return (permission) => data?.permissions.includes(permission) ?? true;
}

/** Whether this session may do something, by its permission: what it may not is not offered. */
export const useMay = (permission: string): boolean => useRights()(permission);
