/** The site's colours as `[light, dark]`, for mails and the mailbox; a test compares them with `src/web/styles.css`. */
export const colors = {
  ground: ["#f6f3ec", "#0c1110"],
  surface: ["#fffdf8", "#121918"],
  raised: ["#ece6d9", "#1b2422"],
  line: ["#ddd5c4", "#283330"],
  control: ["#857b68", "#6b7c76"],
  ink: ["#1b211f", "#ece9e1"],
  muted: ["#59615c", "#a4aea9"],
  action: ["#7d5310", "#e2b358"],
  "on-action": ["#fffaf0", "#1a1405"],
} as const;

/** Mails are always light: most mail programs derive a dark theme themselves. */
export const light = (name: keyof typeof colors): string => colors[name][0];

const tokens = Object.entries(colors).map(([name, [onLight, onDark]]) => `--${name}: light-dark(${onLight}, ${onDark});`);

/** The colours for pages of the server's own. Dark unless the system or the switch is set to light, as everywhere on the site. */
export const themeStyles = `
:root { color-scheme: dark; ${tokens.join(" ")} }
@media (prefers-color-scheme: light) { :root { color-scheme: light; } }
:root[data-theme="dark"] { color-scheme: dark; }
:root[data-theme="light"] { color-scheme: light; }`;
