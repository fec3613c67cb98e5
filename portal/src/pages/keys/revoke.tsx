import { useState } from "react";
import { listKeys, revokeKey } from "../../api/admin.ts";
import { useChange, useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** Asks once more before a key ends; whoever has to replace it first, gives it an overlap. */
export function RevokeKey({ of: key, onClose }: { readonly of: Schema<"Key"> | null; readonly onClose: () => void }) {
  const [overlap, setOverlap] = useState("0");
  const change = useChange(revokeKey, ["/v1/admin/keys"]);
  const [replacedBy, setReplacedBy] = useState("");
  const { data: others } = useLive(listKeys({ member: key?.member_id ?? "", state: ["active"] }), {
    when: key !== null,
  });
  const fitting = others?.data.filter(({ key_id: id, revoked_at: at }) => id !== key?.key_id && at === null) ?? [];
  const close = (): void => {
    setReplacedBy("");
    change.reset();
    setOverlap("0");
    onClose();
  };
  const revoke = async (): Promise<void> => {
    if (key === null) return;
    await change.mutateAsync({ key: key.key_id, overlapSeconds: Number(overlap), replacedBy });
    toast(overlap === "0" ? `${key.name} is revoked.` : `${key.name} ends after the overlap.`);
    close();
  };
  const footer = (
    <>
      <Button onClick={close}>Keep it</Button>
      <Button kind="danger" busy={change.isPending} onClick={() => void revoke().catch(() => {})}>
        Revoke
      </Button>
    </>
  );
  return (
    <Dialog open={key !== null} onClose={close} title={`Revoke “${key?.name ?? ""}”`} footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          Calls with this key are refused everywhere within a second, and sessions started with it end. This cannot be
          undone; a new key can be made at any time.
        </p>
        <Select label="When" value={overlap} onChange={(event) => setOverlap(event.target.value)}>
          <option value="0">now</option>
          <option value="3600">in an hour</option>
          <option value="86400">in a day</option>
          <option value="604800">in a week</option>
        </Select>
        {fitting.length === 0 ? null : (
          <Select
            label="Replaced by"
            hint="Schedules, triggers and waiting tasks continue with this key. Otherwise they stop."
            value={replacedBy}
            onChange={(event) => setReplacedBy(event.target.value)}
          >
            <option value="">no other key</option>
            {fitting.map(({ key_id: id, name, last_four: end }) => (
              <option key={id} value={id}>
                {name} (…{end})
              </option>
            ))}
          </Select>
        )}
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}
