import { useEffect, useState, type ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { Banner } from "../../ui/banner.tsx";
import { cx } from "../../ui/cx.ts";

const delayMs = 500;

/** Appears after half a second in a place that was kept for it, so that nothing moves; gone once closed. */
export function LaunchOffer(): ReactNode {
  const [state, setState] = useState<"waiting" | "open" | "closed">("waiting");
  useEffect(() => {
    const timer = setTimeout(() => setState((now) => (now === "waiting" ? "open" : now)), delayMs);
    return () => clearTimeout(timer);
  }, []);
  if (state === "closed") return null;
  return (
    <div className={cx("mb-6 transition-opacity", state === "waiting" && "invisible opacity-0")}>
      <Banner onClose={() => setState("closed")} className="border-l-action">
        <p>
          <strong className="font-semibold">{texts.payment.launchOffer}</strong>{" "}
          <span className="whitespace-nowrap">
            with code <strong className="font-figures font-semibold text-action">{texts.payment.launchCode}</strong>
          </span>
        </p>
      </Banner>
    </div>
  );
}
