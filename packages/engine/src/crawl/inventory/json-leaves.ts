import { type Expression, type Property, parseExpressionAt } from 'acorn';

/** A primitive value in a JSON text. */
interface JsonLeaf {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  value: string;
  type: 'string' | 'number' | 'boolean' | 'null';
  /** Position in the text, including quotes. */
  start: number;
  end: number;
}

/** More than a legitimate request has. */
const MOST_LEAVES = 300;

/**
 * Returns the primitive values in text order; none for invalid JSON. Uses a JavaScript parser, because it reports
 * positions.
 */
export function jsonLeaves(text: string): JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  try {
    JSON.parse(text);
    const waiting: [string, Expression][] = [['', parseExpressionAt(text, 0, { ecmaVersion: 'latest' })]];
    for (let next = waiting.pop(); next && leaves.length < MOST_LEAVES; next = waiting.pop()) {
      const [pointer, node] = next;
      if (node.type === 'ObjectExpression' || node.type === 'ArrayExpression') {
        waiting.push(...within(pointer, node).toReversed());
      } else leaves.push(leafOf(pointer, text, node));
    }
  } catch {
    return [];
  }
  return leaves;
}

function within(pointer: string, node: Extract<Expression, { elements: unknown } | { properties: unknown }>) {
  if (node.type === 'ArrayExpression') {
    return node.elements.map((each, index): [string, Expression] => [`${pointer}/${index}`, each as Expression]);
  }
  const properties = 'properties' in node ? (node.properties as Property[]) : [];
  return properties.map(({ key, value }): [string, Expression] => {
    const name = key.type === 'Literal' ? String(key.value) : '';
    return [`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value];
  });
}

function leafOf(pointer: string, text: string, { start, end }: Expression): JsonLeaf {
  const raw = text.slice(start, end);
  const value: unknown = JSON.parse(raw);
  if (typeof value === 'string') return { pointer, value, type: 'string', start, end };
  const type = value === null ? 'null' : typeof value === 'boolean' ? 'boolean' : 'number';
  return { pointer, value: raw, type, start, end };
}

/** Returns the text with this JSON in place of each of the values, and every other byte as it is. */
export function withLeaves(text: string, leaves: readonly JsonLeaf[], written: string): string {
  return leaves
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + written + rest.slice(end), text);
}

/** Builds a JSON text from its values, for requests without a known body. */
export function jsonOf(values: readonly { pointer: string; written: string }[]): string {
  const root: Tree = new Map();
  for (const { pointer, written } of values) {
    const names = pointer.split('/').slice(1);
    const last = names.pop();
    if (last === undefined) return written;
    let place = root;
    for (const name of names) {
      const below = place.get(name);
      const next: Tree = below instanceof Map ? below : new Map();
      place.set(name, next);
      place = next;
    }
    place.set(last, written);
  }
  return write(root);
}

type Tree = Map<string, Tree | string>;

function write(tree: Tree | string): string {
  if (typeof tree === 'string') return tree;
  const names = [...tree.keys()];
  const isList = names.length > 0 && names.every((name, index) => name === String(index));
  const parts = [...tree].map(([name, value]) => {
    const key = JSON.stringify(name.replaceAll('~1', '/').replaceAll('~0', '~'));
    return isList ? write(value) : `${key}:${write(value)}`;
  });
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}
