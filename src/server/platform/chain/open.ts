import type { Config } from "../../config.ts";
import type { Clock } from "../clock.ts";
import type { RateLimits } from "../http/rate-limit.ts";
import { openBitcoin, type BitcoinReader } from "./bitcoin.ts";
import type { ChainService } from "./chain.ts";
import { openEthereum, type EthereumReader } from "./ethereum.ts";

/** The chain services; those that are not set up are undefined. */
export interface Chains {
  bitcoin: ChainService<BitcoinReader> | undefined;
  ethereum: ChainService<EthereumReader> | undefined;
}

/** Returns the services of the settings. Each is asked 20 and 100 times in ten seconds at most, by all processes together. */
export function openChains(config: Config, limits: RateLimits, clock: Clock): Chains {
  const bitcoin = config.payments.bitcoinApiUrl;
  const ethereum = config.payments.ethereumRpcUrl;
  const bitcoinBudget = { name: "chain-bitcoin", points: 20, seconds: 10 };
  const ethereumBudget = { name: "chain-ethereum", points: 100, seconds: 10 };
  return {
    bitcoin: bitcoin === undefined ? undefined : openBitcoin({ address: bitcoin, budget: bitcoinBudget, limits }),
    ethereum: ethereum === undefined ? undefined : openEthereum({ address: ethereum, budget: ethereumBudget, limits, clock }),
  };
}
