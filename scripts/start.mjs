// @ts-check
// From a fresh clone to a served site. The rest is loaded after the check: an old Node.js may not even parse it.
import { refuseOldNode } from "./node-version.mjs";

refuseOldNode();
import("./install.mjs")
  .then(({ runBuilt }) => runBuilt("main"))
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
