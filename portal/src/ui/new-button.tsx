import { Plus } from "lucide-react";
import { Button } from "./button.tsx";

/** Opens the dialog that makes a new one of what a page lists. */
export function NewButton({ children, onClick }: { readonly children: string; readonly onClick: () => void }) {
  return (
    <div>
      <Button
        kind="primary"
        icon={<Plus className="size-4" aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={onClick}
      >
        {children}
      </Button>
    </div>
  );
}
