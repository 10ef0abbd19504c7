import { Gauge, type Registry } from "prom-client";
import type { Database } from "../db/database.ts";
import { findAllServices } from "./service-state.ts";

/** Says of each chain service whether it fails (CHAIN-6). While the database is away the values stay. */
export function registerChainMetrics(registry: Registry, db: Database): void {
  const failing = new Gauge({
    name: "chain_service_failing",
    help: "1 while lookups by this coin fail for all processes, else 0",
    labelNames: ["coin"],
    registers: [registry],
    async collect() {
      const services = await findAllServices(db).catch(() => []);
      for (const { coin, problem } of services) failing.set({ coin }, problem === null ? 0 : 1);
    },
  });
}
