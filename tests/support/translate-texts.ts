/** Does to the texts of an element what a translating browser does: each moves into an element of its own. */
export function translateTexts(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const translated = document.createElement("i");
    translated.textContent = text.data;
    text.replaceWith(translated);
  }
}
