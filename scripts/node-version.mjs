// @ts-check

/** Ends an old Node.js with one line. Syntax of ES2015 and calls of Node.js 12: an old one must get as far as this message. */
export function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
