import { listMembers, whoami } from "../../api/admin.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { CopyText } from "../../ui/code.tsx";

/** Who did something: by name for those who may read the members, else by id. */
export function Person({ member }: { readonly member: string }) {
  const mayRead = useMay("admin:read");
  const { data: self } = useLive(whoami());
  const { data } = useLive(listMembers(), { when: mayRead });
  if (self?.principal.id === member) return "you";
  const name = data?.data.find(({ member_id }) => member_id === member)?.name;
  return name === undefined ? <CopyText text={member} short /> : visible(name);
}
