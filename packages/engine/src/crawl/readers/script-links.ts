import type { AnyNode, CallExpression, Declaration, Literal, Node } from 'acorn';
import type { Described } from '../requests/draft.ts';
import { resolveUrl } from './read-page.ts';
import { type Fields, fieldsAt, type Passing } from './script-bodies.ts';
import { holderOf, innermost, madeOf, type ScriptStatements, variableAt } from './script-places.ts';
import { nameOf, type ScriptConstants, walkScript } from './script-values.ts';

/** A call with objects as arguments: `orders.save({ tea, pieces: 1 })`. */
export interface Giving {
  /** Names in the script of what the function may belong to; its own name if it belongs to nothing. */
  owners: string[];
  /** Name of the method; empty if the function belongs to nothing. */
  name: string;
  /** Arguments by position; undefined for those that are no objects. */
  values: (Fields | undefined)[];
}

const MOST_GIVEN = 2_000;
const MOST_LOOKS = 30_000;
const MOST_CHARACTERS = 3_000;

/** Functions of a script that other scripts may call, and its own calls. */
export interface ScriptLinks {
  passings: (Passing & { described: Described })[];
  givings: Giving[];
  exported: { as: string; name: string }[];
  imported: { as: string; from: string; name: string }[];
}

export function scriptLinksOf(
  program: Node,
  places: ScriptStatements,
  names: ScriptConstants,
  scriptUrl: string,
): Omit<ScriptLinks, 'passings'> {
  const [exported, imported]: [ScriptLinks['exported'], ScriptLinks['imported']] = [[], []];
  for (const node of 'body' in program && Array.isArray(program.body) ? (program.body as AnyNode[]) : []) {
    if (node.type === 'ExportNamedDeclaration' && !node.source) {
      exported.push(...node.specifiers.map((each) => ({ as: nameIn(each.exported), name: nameIn(each.local) })));
      for (const name of declaredBy(node.declaration)) exported.push({ as: name, name });
    }
    const from = node.type === 'ImportDeclaration' ? resolveUrl(String(node.source.value), scriptUrl) : undefined;
    if (node.type !== 'ImportDeclaration' || from === undefined) continue;
    for (const each of node.specifiers) {
      const name = each.type === 'ImportSpecifier' ? nameIn(each.imported) : 'default';
      if (each.type !== 'ImportNamespaceSpecifier') imported.push({ as: each.local.name, from, name });
    }
  }
  return { exported, imported, givings: givingsOf(program, places, names) };
}

const nameIn = (node: Node) => nameOf(node) ?? String((node as Literal).value ?? '');

function declaredBy(node: Declaration | null | undefined): string[] {
  if (!node) return [];
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => nameOf(id) ?? []);
  return [node.id.name];
}

function givingsOf(program: Node, places: ScriptStatements, names: ScriptConstants): Giving[] {
  const found: Giving[] = [];
  let looked = 0;
  for (const node of walkScript(program)) {
    if (found.length >= MOST_GIVEN || looked >= MOST_LOOKS) break;
    if (node.type !== 'CallExpression') continue;
    looked += node.arguments.length;
    const values = node.arguments.map((each) => fieldsAt(each, places, names));
    const called = values.some((each) => each !== undefined) ? calledBy(node, places) : undefined;
    if (called && JSON.stringify(values).length <= MOST_CHARACTERS) found.push({ ...called, values });
  }
  return found;
}

function calledBy({ callee, start }: CallExpression, places: ScriptStatements): Omit<Giving, 'values'> | undefined {
  // `(0, module.save)(order)`
  const last = callee.type === 'SequenceExpression' ? callee.expressions.at(-1) : callee;
  if (last?.type === 'Identifier') return { owners: [last.name], name: '' };
  if (last?.type !== 'MemberExpression' || last.computed) return undefined;
  const name = nameOf(last) ?? '';
  const holder = last.object.type === 'Super' ? undefined : holderOf(last.object);
  if (holder === undefined) return { owners: [], name };
  const [, field] = /^this\.(.*)$/.exec(holder) ?? [];
  const own = innermost(places.classes, start);
  if (field !== undefined) return { owners: own?.fields.get(field) ?? [], name };
  if (holder === 'this') return { owners: own?.name === undefined ? [] : [own.name], name };
  return { owners: [...madeOf(variableAt(holder, start, places)?.init ?? null), holder], name };
}
