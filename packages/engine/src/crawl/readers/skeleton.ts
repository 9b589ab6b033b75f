import { createHash } from 'node:crypto';
import { attribute, type Element } from '../../html/parse-page.ts';

/** Elements without which two pages of one layout would look alike, though they ask for different things. */
const NAMED = new Set(['input', 'select', 'textarea', 'button', 'form']);

/** The same for pages that are built alike, however long their lists are and whatever they say. */
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
