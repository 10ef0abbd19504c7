// @ts-check

/** Ends a Node.js that Vite does not run on with one line. Syntax of ES2015 and calls of Node.js 12: an old one must get as far as this message. */
export function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  console.error(`Node.js 20.19+ or 22.12+ is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
