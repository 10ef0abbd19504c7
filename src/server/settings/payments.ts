import { address, duration, endpoint, fetched, listOf, onOff, webhookKey } from "./schemas.ts";
import type { Setting } from "./setting.ts";

export const payments = {
  priceApiUrl: {
    name: "PRICE_API_URL",
    isSecret: true,
    schema: fetched(endpoint()),
    fallback: "https://api.coingecko.com/api/v3/simple/price",
    description: "Public price service, asked with `?ids=bitcoin&vs_currencies=usd`.",
  },
  priceRefreshSeconds: {
    name: "PRICE_REFRESH",
    isSecret: false,
    schema: duration("1m", "1d"),
    fallback: "off",
    description:
      "How often the coins' prices are taken from PRICE_API_URL, such as `15m`: within your bounds and never more than 20% in a step.",
  },
  bitcoinApiUrl: {
    name: "BITCOIN_API_URL",
    isSecret: true,
    schema: fetched(address("http", "https")),
    example: "https://blockstream.info/api",
    description:
      "An Esplora service, yours or a public one, that looks up Bitcoin payments. It learns your addresses and when you look. Without it, nothing is looked up.",
  },
  ethereumRpcUrl: {
    name: "ETHEREUM_RPC_URL",
    isSecret: true,
    schema: fetched(address("http", "https")),
    example: "http://localhost:8545",
    description:
      "The JSON-RPC of an Ethereum node on the main network, yours or a public one, that looks up Ethereum payments. It learns their transactions and when you look. Without it, nothing is looked up.",
  },
  upgradeCredit: {
    name: "UPGRADE_CREDIT",
    isSecret: false,
    schema: onOff(),
    fallback: "off",
    description: "`on` takes what a student paid for Starter off the price of Advanced.",
  },
  /** 0 for none. */
  destinationDelaySeconds: {
    name: "DESTINATION_DELAY",
    isSecret: false,
    schema: duration("1h", "30d"),
    fallback: "off",
    description:
      "`24h` quotes a changed address or account only a day after it was saved, so that a change by a thief can be undone before anybody pays there. Until then the former one is quoted.",
  },
} satisfies Record<string, Setting>;

export const webhooks = {
  url: {
    name: "WEBHOOK_URL",
    isSecret: true,
    schema: fetched(endpoint()),
    example: "https://hooks.example.com/payments",
    description:
      "Where each payment request that is submitted, approved, rejected or reopened is posted to, signed by WEBHOOK_SECRET. In production over https, or on this machine or a private network.",
  },
  keys: {
    name: "WEBHOOK_SECRET",
    isSecret: true,
    schema: listOf(webhookKey()),
    example: "",
    description:
      "Signs what is sent to WEBHOOK_URL: `whsec_` and 24 to 64 random bytes in base64 (`echo whsec_$(openssl rand -base64 32)`). Two, with a comma between, while the receiver changes to another.",
  },
} satisfies Record<string, Setting>;
