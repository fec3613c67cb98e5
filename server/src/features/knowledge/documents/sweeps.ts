import type { Sweep } from "../../../kernel/machines.ts";
import { emptyDeletedBase } from "./deletion-store.ts";
import { removeExpired } from "./version-store.ts";

export const emptyDeletedBases: Sweep = {
  name: "knowledge.empty_deleted_bases",
  async run({ db, now }) {
    await emptyDeletedBase(db, new Date(now));
  },
};

const minute = 60_000;
let lookedAt = 0;

/** Every minute; at once while more is left. */
export const removeExpiredVersions: Sweep = {
  name: "knowledge.remove_expired_versions",
  async run({ db, now }) {
    if (now >= lookedAt && now - lookedAt < minute) return;
    const removed = await removeExpired(db, new Date(now));
    if (removed === 0) lookedAt = now;
  },
};
