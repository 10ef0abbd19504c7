import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";

/** Movement beside a text that says what is going on. */
export function Spinner(): ReactNode {
  return <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />;
}

/** The only thing on the page while it loads. */
export function PageLoading({ text }: { text: string }): ReactNode {
  return (
    <main id="content" tabIndex={-1} className="outline-none grid min-h-dvh place-items-center p-6">
      <p role="status" className="text-muted">
        {text}
      </p>
    </main>
  );
}
