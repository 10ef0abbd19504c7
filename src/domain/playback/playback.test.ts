import { expect, it } from "vitest";
import { idleSeconds, signSeconds } from "./devices.ts";
import { sharingDays, unusualSigns } from "./sharing.ts";

// DEVICE-2
it("counts a device as playing for two minutes after a sign, which is written every half minute", () => {
  expect([idleSeconds, signSeconds]).toEqual([120, 30]);
});

// DEVICE-5
it("calls 35 networks, 6 devices and 10 displaced devices in 30 days unusual, and not one less", () => {
  expect(sharingDays).toBe(30);
  expect(unusualSigns({ networks: 35, devices: 6, displaced: 10 })).toEqual(["networks", "devices", "displaced"]);
  expect(unusualSigns({ networks: 34, devices: 5, displaced: 9 })).toEqual([]);
});
