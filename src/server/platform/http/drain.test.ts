import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, it } from "vitest";
import { Drain } from "./drain.ts";

let app: FastifyInstance;
afterEach(() => app.close());

// RUN-1
it("refuses later requests on two ports, which cannot be closed one by one", async (context) => {
  app = fastify({ forceCloseConnections: true, return503OnClosing: false });
  const end: (() => void)[] = [];
  app.get("/slow", () => new Promise((resolve) => end.push(() => resolve("done"))));
  app.get("/quick", () => "quick");
  new Drain().register(app);
  const url = await app.listen({ host: "localhost", port: 0 });
  // Without IPv6 there is one.
  if (app.addresses().length < 2) context.skip();
  const slow = fetch(`${url}/slow`);
  await expect.poll(() => end).toHaveLength(1);
  const stopped = app.close();
  await expect.poll(async () => (await fetch(`${url}/quick`)).status).toBe(503);
  end[0]!();
  expect(await (await slow).text()).toBe("done");
  await stopped;
});
