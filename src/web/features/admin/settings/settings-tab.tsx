import type { ReactNode } from "react";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useLinkedFocus } from "../../../ui/use-linked-focus.ts";
import { Coupons } from "../coupons/coupons.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { Environment } from "./environment.tsx";
import { VoidQuotes } from "./guard/void-quotes.tsx";
import { PricesPanel } from "./prices/prices-panel.tsx";
import { useWalletSettings } from "./queries.ts";
import { TestMail } from "./test-mail.tsx";
import { WalletForm } from "./wallet-form.tsx";

/** The sections in the order of the page, by the id that a link to one ends with. */
const sections = {
  wallet: "Wallet",
  prices: "Coin prices",
  quotes: "Open quotes",
  coupons: "Coupons",
  "test-mail": "Test mail",
  environment: "Environment",
};

export function SettingsTab(): ReactNode {
  return (
    <div className="grid gap-6">
      <nav aria-label="Settings" className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
        <ul className="flex gap-x-5">
          {Object.entries(sections).map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`} className="inline-flex min-h-11 items-center text-small whitespace-nowrap underline">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Section id="wallet">
          <Wallet />
        </Section>
        <div className="grid grid-cols-1 gap-6">
          <Section id="prices">
            <PricesPanel />
          </Section>
          <Section id="quotes">
            <VoidQuotes />
          </Section>
          <Section id="coupons">
            <Coupons />
          </Section>
          <Section id="test-mail">
            <TestMail />
          </Section>
        </div>
      </div>
      <Section id="environment">
        <Environment />
      </Section>
    </div>
  );
}

function Section({ id, children }: { id: keyof typeof sections; children: ReactNode }): ReactNode {
  useLinkedFocus(id);
  return (
    <div id={id} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
}

function Wallet(): ReactNode {
  const settings = useWalletSettings();
  if (settings.data) return <WalletForm saved={settings.data} />;
  if (settings.isPending) return <Skeleton className="h-128" />;
  return <EmptyLoadError what="settings" retry={() => void settings.refetch()} />;
}
