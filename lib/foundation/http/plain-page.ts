/** Returns a whole page of a heading, a sentence, and a link, which needs no scripts and no other files. */
export const plainPage = (page: { heading: string; text: string; href: string; link: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.heading}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif }
main { max-width: 560px; margin: 0 auto; padding: 64px 24px }
h1 { font-size: 28px; line-height: 1.25 }
</style>
</head>
<body>
<main>
<h1>${page.heading}</h1>
<p>${page.text}</p>
<p><a href="${page.href}">${page.link}</a></p>
</main>
</body>
</html>
`;
