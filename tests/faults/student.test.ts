import { expect, it } from "vitest";
import { newJournal, type Ask } from "./client.ts";
import { upload } from "./student.ts";

it("gives up an upload whose sender was signed out meanwhile", async () => {
  const place = new Headers({ location: "/storage/v1/upload/resumable/one" });
  const ask: Ask = async (method) =>
    method === "POST"
      ? { status: 201, body: "", headers: place, ms: 1 }
      : { status: 401, body: "", headers: new Headers(), ms: 1 };
  expect(await upload({ ask, isOver: () => false, journal: newJournal() }, "token", Buffer.alloc(10), {})).toBeUndefined();
});
