import { Link } from "@tanstack/react-router";
import { useRights } from "../../api/rights.ts";

const rooms = [
  { to: "/marketplace", name: "Catalogue" },
  { to: "/marketplace/installs", name: "Installs" },
  { to: "/marketplace/recalls", name: "Recalls" },
  { to: "/marketplace/review", name: "Review", needs: "marketplace:review" },
  { to: "/marketplace/publish", name: "Publish", needs: "marketplace:write" },
] as const;

/** The rooms of the marketplace, beside each other under the head of each of them. */
export function Rooms() {
  const may = useRights();
  return (
    <nav aria-label="Marketplace" className="mb-5 flex flex-wrap gap-x-1 border-b border-line">
      {rooms
        .filter((room) => !("needs" in room) || may(room.needs))
        .map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            className="-mb-px inline-flex items-center border-b-2 border-transparent px-2 py-2.5 text-sm font-medium whitespace-nowrap text-muted hover:text-ink pointer-coarse:min-h-11 sm:px-3 aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {name}
          </Link>
        ))}
    </nav>
  );
}
