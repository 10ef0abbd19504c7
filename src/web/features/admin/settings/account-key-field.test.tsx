// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { errors } from "#domain/errors/messages";
import { bip49Key, bip84Addresses, bip84Key } from "../../../../../tests/support/domain/bitcoin-keys.ts";
import { show } from "../../../../../tests/support/render.tsx";
import { AccountKeyField } from "./account-key-field.tsx";

const chunk = vi.hoisted(() => ({ isGone: false }));
vi.mock("#domain/payment-methods/bitcoin/derive", async (importOriginal) => {
  const { receiveChain } = await importOriginal<{ receiveChain: unknown }>();
  return {
    get receiveChain() {
      if (chunk.isGone) throw new TypeError("Failed to fetch dynamically imported module");
      return receiveChain;
    },
  };
});

function Field({ unused = 0 }: { unused?: number }): ReactNode {
  const [value, setValue] = useState(bip84Key);
  return (
    <AccountKeyField value={value} savedKey={bip84Key} unused={unused} onChange={(event) => setValue(event.target.value)} />
  );
}

const input = () => screen.getByLabelText("Bitcoin account key (xpub, ypub or zpub)");

// WALLET-5
test("a key displays its first three addresses to compare with the wallet", async () => {
  show(<Field />);
  const addresses = await screen.findAllByRole("listitem");
  expect(addresses.map(({ textContent }) => textContent)).toEqual(bip84Addresses);
});

test("a valid key is not called wrong when the derivation cannot be loaded", async () => {
  chunk.isGone = true;
  const { unmount } = show(<Field />);
  expect((await screen.findByRole("alert")).textContent).toBe(errors.part_not_loaded.text);
  unmount();
  chunk.isGone = false;
  show(<Field />);
  expect(await screen.findAllByRole("listitem")).toHaveLength(bip84Addresses.length);
});

test("says how far wallets look ahead, and how many addresses were not used", () => {
  show(<Field unused={20} />);
  expect(
    screen.getByText("20 addresses were given since the last one of a payment request that was not rejected"),
  ).toBeDefined();
  expect(screen.getByText(/Wallets look only 20 unused addresses ahead/)).toBeDefined();
});

test("the count of the saved key is not that of another one", async () => {
  const { user } = show(<Field unused={7} />);
  await user.clear(input());
  expect(screen.queryByText(/Wallets look only/)).toBeNull();
  await user.type(input(), bip49Key);
  expect(screen.getByText("No address was given since the last one of a payment request that was not rejected")).toBeDefined();
});

// WALLET-4
test("a private key is refused while it is typed, before anything is sent", async () => {
  const { user } = show(<Field />);
  await user.clear(input());
  await user.type(input(), "zprvAdG4iTXWBoARx");
  expect(screen.getByRole("alert").textContent).toMatch(/^This is a private key .+ Never enter it anywhere/);
  expect(screen.queryByRole("list")).toBeNull();
});
