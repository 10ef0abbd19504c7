import { startShop } from "../shop.ts";
import type { TestApp } from "../app.ts";
import type { Person } from "../people.ts";
import { startEsplora, type Esplora } from "./esplora.ts";

export interface BitcoinShop {
  app: TestApp;
  operator: Person;
  esplora: Esplora;
  close(): Promise<void>;
}

/** A shop that looks up payments by Bitcoin at a stand-in of the chain service. */
export async function startBitcoinShop(): Promise<BitcoinShop> {
  const esplora = await startEsplora();
  const { app, operator } = await startShop({ environment: { BITCOIN_API_URL: esplora.url } });
  const close = async (): Promise<void> => {
    await app.close();
    await esplora.stop();
  };
  return { app, operator, esplora, close };
}
