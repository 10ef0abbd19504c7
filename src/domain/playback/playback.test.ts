import { expect, it } from "vitest";
import { idleSeconds, signSeconds } from "./devices.ts";
import { sharingDays, unusualSigns } from "./sharing.ts";

// DEVICE-2
it("counts a device as playing for two minutes after a sign of playing", () => {
  expect([idleSeconds, signSeconds]).toEqual([120, 30]);
});

// DEVICE-5
it("finds 35 networks, 6 devices or 10 displaced devices unusual, not one less", () => {
  expect(sharingDays).toBe(30);
  expect(unusualSigns({ networks: 35, devices: 6, displaced: 10 })).toEqual(["networks", "devices", "displaced"]);
  expect(unusualSigns({ networks: 34, devices: 5, displaced: 9 })).toEqual([]);
});
