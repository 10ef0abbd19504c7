import { escapeHtml } from "../../escape-html.ts";

/** Returns a page beside the app: no script but the theme's, its style from the same origin (content policy). `body` is HTML. */
export const plainPage = (title: string, stylesheet: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<script src="/theme.js"></script>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
