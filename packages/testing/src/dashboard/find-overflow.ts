import type { Page } from 'playwright-core';

export const PHONE = { width: 390, height: 800 };

/** Longer than the frame of the dashboard moves, also on a busy machine. */
const MOVING_MS = 3_000;

/** Returns what is wider than the window, if the page scrolls sideways. What scrolls inside a box of its own may be. */
export function findOverflow(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  // The navigation moves out of the way of the content when the window gets narrow.
  return page.evaluate(`new Promise((resolve) => {
    const { documentElement: root, body } = document;
    const isBoxed = (element) => {
      for (let box = element.parentElement; box && box !== body; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') return true;
      }
      return false;
    };
    const isWide = (element) => element.getBoundingClientRect().right > root.clientWidth && !isBoxed(element);
    const end = performance.now() + ${MOVING_MS};
    const look = () => {
      if (root.scrollWidth <= root.clientWidth) return resolve([]);
      if (performance.now() < end) return requestAnimationFrame(look);
      const wide = [...body.querySelectorAll('*')].filter(isWide).slice(0, 5);
      resolve([root.scrollWidth + ' px', ...wide.map(({ outerHTML }) => outerHTML.slice(0, 300))]);
    };
    look();
  })`);
}
