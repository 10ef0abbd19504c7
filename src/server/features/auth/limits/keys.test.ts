import { expect, it } from "vitest";
import { networkOf } from "./keys.ts";

it.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["203.0.113.250", "203.0.113.0/24"],
  ["203.0.114.7", "203.0.114.0/24"],
  ["::ffff:203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:0::/56"],
  ["2001:DB8:1:ff::6", "2001:db8:1:0::/56"],
  ["2001:db8:1:1ff::6", "2001:db8:1:100::/56"],
  ["::1", "0:0:0:0::/56"],
  ["fe80::1%eth0", "fe80:0:0:0::/56"],
  ["unknown", "unknown"],
])("counts %s as the network %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
