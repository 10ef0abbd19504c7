import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** SHA-256 of every migration that a release carries; a release adds its own. */
const released = {
  "0001-accounts.sql": "c4d477eeb544691cf6b102df16c44a4acc9c814093f98eb262fab8c0de358de6",
  "0002-audit-and-mail.sql": "b12942bd51b9d42a92bc802541f53bf8a4ac4f7ad785841f66aff5934c084142",
  "0003-files-and-videos.sql": "845816c10dcd7f1fe617090e74bb9b18dbef078b57f3a989d745323cd3d5a43e",
  "0004-payments.sql": "8783ab43ba9d7d4f7acd1b856a7de5b5088f57b9d335042b058553801e71f0bc",
  "0005-changes.sql": "01a38263bf40119bd9c5d59df305e1cbfddcbc8e69da56a6b23fdc5b0e810a8e",
};

it.each(Object.entries(released))("leaves the released migration %s as it was", (name, sha256) => {
  expect(
    createHash("sha256")
      .update(readFileSync(`migrations/${name}`))
      .digest("hex"),
  ).toBe(sha256);
});
