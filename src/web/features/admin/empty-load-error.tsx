import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/panel.tsx";

/** Where a list would be that could not be loaded: not the same as one without rows. */
export function EmptyLoadError({ what, retry }: { what: string; retry: () => void }): ReactNode {
  return (
    <Empty title={`The ${what} could not be loaded`}>
      <Button variant="secondary" size="small" className="mt-3" onClick={retry}>
        Try again
      </Button>
    </Empty>
  );
}
