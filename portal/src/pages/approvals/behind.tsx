import { Card } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { ObjectName, Person, SecondLook } from "../accountability/public.tsx";
import { RequiredBy } from "./required-by.tsx";
import { type Detail, nameOf } from "./words.ts";

/** Who stands behind an approval and through what, who could decide it, and which rules anybody changed shortly before. */
export function Behind({ approval }: { readonly approval: Detail }) {
  const { requesters, could_decide: could, loosened, status, required_by: rules } = approval;
  const contents = [...new Set(requesters.flatMap(({ of }) => (of !== null && isContent(of) ? [of] : [])))];
  return (
    <Card title="Who stands behind this">
      <div className="grid gap-4 text-sm">
        <ul aria-label="Who stands behind this" className="grid gap-2">
          {requesters.map((person) => (
            <li key={`${person.member.id} ${person.how} ${person.of}`}>
              <Person person={person} />
            </li>
          ))}
        </ul>
        {contents.map((object) => (
          <div key={object} className="grid gap-1 border-t border-line pt-3">
            <ObjectName object={object} />
            <SecondLook object={object} />
          </div>
        ))}
        {rules.length === 0 ? null : (
          <section className="border-t border-line pt-3">
            <h3 className="font-semibold">Required by</h3>
            <ul className="mt-1 grid gap-1.5">
              {rules.map((one) => (
                <li key={`${one.kind} ${one.id} ${one.version}`}>
                  <RequiredBy requirement={one} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {status === "pending" && could.count > 0 ? <CouldDecide could={could} /> : null}
        {loosened.length === 0 ? null : <Loosened changes={loosened} />}
      </div>
    </Card>
  );
}

/** Whether a second person can confirm it. */
const isContent = (object: string): boolean => /^(agent|workflow|trigger|schedule|connection|dataset):/.test(object);

function CouldDecide({ could: { count, members, more } }: { readonly could: Detail["could_decide"] }) {
  return (
    <section className="border-t border-line pt-3">
      <h3 className="font-semibold">Who could decide</h3>
      <p className="mt-1">
        {members.map(nameOf).join(", ")}
        {more ? ` and ${count - members.length} more` : null}
      </p>
    </section>
  );
}

function Loosened({ changes }: { readonly changes: Detail["loosened"] }) {
  return (
    <section className="border-t border-line pt-3">
      <h3 className="font-semibold">Rules changed in the day before</h3>
      <ul className="mt-1 grid gap-1.5">
        {changes.map(({ what, object, by, at }) => (
          <li key={`${object} ${at}`}>
            {what}, by {nameOf(by)} <RelativeTime time={at} className="text-muted" />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-muted">
        A change bars nobody from deciding. Check whether it made this request possible.
      </p>
    </section>
  );
}
