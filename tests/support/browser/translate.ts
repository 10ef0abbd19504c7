import type { Page } from "@playwright/test";

/**
 * Has the page treated as by a translating browser, now and whenever its texts change: each text node is replaced by one in two `font` elements,
 * unless it is marked with `translate="no"`. The words stay the same, so that a test can find them.
 */
export const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const font: string = "font";
    const kept = 'font, script, style, title, [translate="no"]';
    const wrap = (text: Text): void => {
      if (text.data.trim() === "" || text.parentElement?.closest(kept) !== null) return;
      const [outer, inner] = [document.createElement(font), document.createElement(font)];
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    };
    const wrapAll = (): void => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(wrap);
    };
    wrapAll();
    new MutationObserver(wrapAll).observe(document.body, { characterData: true, childList: true, subtree: true });
  });
