import type { AnyNode, Expression, MemberExpression, Node, Property, SpreadElement } from 'acorn';

/**
 * Walks the syntax tree iteratively, because bundles nest deeper than the call stack allows. Nodes that are not entered
 * are yielded as well.
 */
export function* walkScript(root: Node, isEntered: (node: AnyNode) => boolean = () => true): Generator<AnyNode> {
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (let index = next.length - 1; index >= 0; index--) waiting.push(next[index]);
      continue;
    }
    if (!('type' in next) || typeof next.type !== 'string') continue;
    yield next as AnyNode;
    if (next !== root && !isEntered(next as AnyNode)) continue;
    const parts = Object.values(next);
    for (let index = parts.length - 1; index >= 0; index--) {
      if (typeof parts[index] === 'object' && parts[index] !== null) waiting.push(parts[index]);
    }
  }
}

/** String values by name; null for names with several or other values. */
export type ScriptConstants = ReadonlyMap<string, string | null>;

const MOST_NAMES = 20_000;

export function namesOf(nodes: Iterable<AnyNode>): ScriptConstants {
  const names = new Map<string, string | null>();
  const learn = (name: string, value: string | null) => {
    if (names.size < MOST_NAMES) names.set(name, names.has(name) && names.get(name) !== value ? null : value);
  };
  for (const node of nodes) {
    // Parameters have another value in each call.
    if ('params' in node) for (const each of node.params) if (each.type === 'Identifier') learn(each.name, null);
    const [key, init] =
      node.type === 'VariableDeclarator'
        ? [node.id, node.init]
        : node.type === 'Property'
          ? [node.key, node.value]
          : [];
    if (key?.type !== 'Identifier') continue;
    if (init?.type === 'Literal' && typeof init.value === 'string') learn(key.name, init.value);
    // Minified names are reused in every function of a bundle.
    else if (node.type === 'VariableDeclarator') learn(key.name, null);
  }
  return names;
}

export const isClass = ({ type }: AnyNode) => type === 'ClassDeclaration' || type === 'ClassExpression';

/** Adds the string fields of `this`: each class has its own under the same names. */
export function namesOfClass(node: AnyNode, names: ScriptConstants): ScriptConstants {
  const own = new Map(names);
  for (const each of walkScript(node, (within) => !isClass(within))) {
    const [key, value] =
      each.type === 'PropertyDefinition'
        ? [each.key, each.value]
        : each.type === 'AssignmentExpression' && isOfThis(each.left)
          ? [each.left.property, each.right]
          : [];
    const text = key?.type === 'Identifier' ? textOfNode(value, own) : undefined;
    if (key?.type === 'Identifier' && text !== undefined) own.set(key.name, text);
  }
  return own;
}

const isOfThis = (node: Node): node is MemberExpression =>
  node.type === 'MemberExpression' && (node as MemberExpression).object.type === 'ThisExpression';

const MOST_PARTS = 50;

/** Returns a string, with `{name}` for parts that are only known at run time; undefined for other values. */
export function textOfNode(
  node: Node | null | undefined,
  names: ScriptConstants,
  parts = { left: MOST_PARTS },
): string | undefined {
  const each = node as Expression | null | undefined;
  if (!each || parts.left-- <= 0) return undefined;
  if (each.type === 'Literal') return typeof each.value === 'string' ? each.value : undefined;
  if (each.type === 'TemplateLiteral') {
    const between = each.expressions.map((one) => textOrName(one, names, parts));
    return each.quasis.map(({ value }, index) => (value.cooked ?? '') + (between[index] ?? '')).join('');
  }
  if (each.type === 'BinaryExpression' && each.operator === '+') {
    const [left, right] = [textOfNode(each.left, names, parts), textOfNode(each.right, names, parts)];
    if (left === undefined && right === undefined) return undefined;
    return (left ?? placeholderOf(each.left)) + (right ?? placeholderOf(each.right));
  }
  if (each.type === 'CallExpression' && each.callee.type === 'MemberExpression' && nameOf(each.callee) === 'concat') {
    const all = [each.callee.object, ...each.arguments];
    return all.map((one) => textOrName(one, names, parts)).join('');
  }
  return names.get(nameOf(each) ?? '') ?? undefined;
}

const textOrName = (node: Node, names: ScriptConstants, parts: { left: number }) =>
  textOfNode(node, names, parts) ?? placeholderOf(node);
const placeholderOf = (node: Node) => `{${nameOf(node) ?? 'id'}}`;

/** Returns the name of a variable or property. */
export function nameOf(node: Node | null | undefined): string | undefined {
  const each = node as Expression | null | undefined;
  if (each?.type === 'Identifier') return each.name;
  if (each?.type === 'MemberExpression') {
    if (!each.computed && each.property.type === 'Identifier') return each.property.name;
    return each.property.type === 'Literal' && typeof each.property.value === 'string'
      ? each.property.value
      : undefined;
  }
  return each?.type === 'CallExpression' ? nameOf(each.arguments[0] ?? each.callee) : undefined;
}

/** Returns the value of a property of an object literal. */
export function propertyOf(node: Node | null | undefined, ...wanted: string[]): Node | undefined {
  const each = node as Expression | null | undefined;
  if (each?.type !== 'ObjectExpression') return undefined;
  return each.properties.find((property): property is Property => wanted.includes(keyOf(property) ?? ''))?.value;
}

function keyOf(property: Property | SpreadElement): string | undefined {
  if (property.type !== 'Property' || property.computed) return undefined;
  if (property.key.type === 'Identifier') return property.key.name;
  return property.key.type === 'Literal' ? String(property.key.value) : undefined;
}

const MOST_VALUES = 20_000;

/** Returns the value of a literal expression, with `test` for parts that are only known at run time. */
export function valueOfNode(
  node: Node | null | undefined,
  names: ScriptConstants,
  left = { values: MOST_VALUES, depth: 30 },
): unknown {
  const each = node as Expression | null | undefined;
  if (!each || left.values-- <= 0 || left.depth <= 0) return 'test';
  const within = (one: Node | null | undefined) => {
    left.depth--;
    const value = valueOfNode(one, names, left);
    left.depth++;
    return value;
  };
  if (each.type === 'ObjectExpression') {
    const known = each.properties.flatMap((one) => (one.type === 'Property' && keyOf(one) !== undefined ? [one] : []));
    return Object.fromEntries(known.map((one) => [keyOf(one) ?? '', within(one.value)]));
  }
  if (each.type === 'ArrayExpression') return each.elements.map(within);
  if (each.type === 'Literal' && !('regex' in each && each.regex) && typeof each.value !== 'bigint') return each.value;
  if (each.type === 'UnaryExpression' && each.operator === '!')
    return each.argument.type === 'Literal' && each.argument.value === 0;
  return names.get(nameOf(each) ?? '') ?? 'test';
}
