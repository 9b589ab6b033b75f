import { createHash } from 'node:crypto';
import { attribute, type Element } from '../../html/parse-page.ts';

/** Elements whose names count, because pages of one layout may ask for different input. */
const NAMED = new Set(['input', 'select', 'textarea', 'button', 'form']);

/**
 * Returns a fingerprint that is the same for pages with the same structure, whatever their text and the length of their
 * lists.
 */
export function skeletonOf(elements: readonly Element[]): string {
  const parts = elements.map((element) => {
    const names = NAMED.has(element.tagName) ? [attribute(element, 'name'), attribute(element, 'action')] : [];
    return [element.tagName, attribute(element, 'class'), ...names].join(' ');
  });
  return createHash('sha256')
    .update([...new Set(parts)].toSorted().join('\n'))
    .digest('hex')
    .slice(0, 16);
}
