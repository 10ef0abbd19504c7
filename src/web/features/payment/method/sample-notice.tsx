import type { ReactNode } from "react";
import { Banner } from "../../../ui/banner.tsx";

/** Keeps whoever tries the product from paying to a made-up destination (WALLET-7). */
export function SampleNotice(): ReactNode {
  return (
    <Banner tone="caution" title="Sample details – do not pay">
      Addresses or accounts below are made up. Nothing sent to them can be recovered.
    </Banner>
  );
}
