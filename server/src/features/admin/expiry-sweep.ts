import { Refusal } from "../../kernel/errors.ts";
import type { Sweep } from "../../kernel/machines.ts";
import { conflict } from "../../kernel/problems.ts";
import { listExpiringKeys } from "./expiry-store.ts";
import { tellOfExpiry } from "./operations/tell-of-expiry.ts";

/** Most that one look takes up; what is over that comes with the next. */
const most = 200;

/** Tells of keys that end soon. */
export const tellOfExpiringKeys: Sweep = {
  name: "admin.tellOfExpiringKeys",
  async run({ db, inside, now }) {
    for (const { organization, environment, id } of await listExpiringKeys(db, new Date(now), most)) {
      await inside(tellOfExpiry, { organization, environment }, { key: id }).catch((error: unknown) => {
        // Revoked in this moment, or told of by another process.
        if (!(error instanceof Refusal && error.type.code === conflict.code)) throw error;
      });
    }
  },
};
