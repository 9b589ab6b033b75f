import type {
  AnyNode,
  AssignmentExpression,
  ClassDeclaration,
  ClassExpression,
  Expression,
  Node,
  Pattern,
} from 'acorn';
import { isClass, nameOf, walkScript } from './script-values.ts';

interface Range {
  start: number;
  end: number;
}

interface FunctionPlace extends Range {
  name: string | undefined;
  params: (string | undefined)[];
}

interface ClassPlace extends Range {
  name: string | undefined;
  /** Names that its fields are created from: `orders = inject(Orders)`. */
  fields: Map<string, string[]>;
}

/** The range is that of the enclosing function. */
interface Variable extends Range {
  init: Expression | null;
}

/** `holder.field = value`; the holder is a variable or a field: `this.order`. */
interface Assigned {
  field: string;
  value: Node;
  at: number;
}

/** Statements of a script by position, because minified names are reused in every function. */
export interface ScriptStatements {
  functions: FunctionPlace[];
  classes: ClassPlace[];
  variables: Map<string, Variable[]>;
  assigned: Map<string, Assigned[]>;
  /** Values of whole fields, by field name: `this.order = value`. */
  begun: Map<string, Assigned[]>;
  /** `form.append('name', value)`, by the name of the form. */
  appended: Map<string, Assigned[]>;
  /** `request.setRequestHeader('name', value)`, by the name of the request. */
  requestHeaders: Map<string, Assigned[]>;
  /** `request.send(value)`, by the name of the request. */
  requestBodies: Map<string, Omit<Assigned, 'field'>[]>;
}

type Named = readonly [key: Node | null | undefined, value: Node | null | undefined];

/** Returns the key and value of a declaration, assignment or property. */
function namedBy(node: AnyNode): Named {
  if (node.type === 'VariableDeclarator') return [node.id, node.init];
  if (node.type === 'AssignmentExpression') return [node.left, node.right];
  if (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition')
    return [node.key, node.value];
  return [null, null];
}

const isFunction = (node: AnyNode) =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** `var Orders = (() => { class t { … } return t })()`, as bundlers write classes. */
const isCalledAtOnce = (node: Node | null | undefined) => {
  const each = node as Expression | null | undefined;
  return each?.type === 'CallExpression' && isFunction(each.callee as AnyNode);
};

export const within = ({ start, end }: Range, at: number) => start <= at && at < end;

/** Returns the innermost range that contains the position. */
export function innermost<T extends Range>(ranges: readonly T[], at: number): T | undefined {
  let found: T | undefined;
  for (const each of ranges) if (within(each, at) && (!found || each.start > found.start)) found = each;
  return found;
}

/** More than bundles have; bounds the work for hostile scripts. */
const MOST_PLACES = 20_000;
const MOST_ALIKE = 1_500;

export function placesOf(program: Node): ScriptStatements {
  const places: ScriptStatements = {
    functions: [],
    classes: [],
    variables: new Map(),
    assigned: new Map(),
    begun: new Map(),
    appended: new Map(),
    requestHeaders: new Map(),
    requestBodies: new Map(),
  };
  const names = new Map<Node, string>();
  const wrapped: (Range & { name: string })[] = [];
  const around: Range[] = [program];
  const holding: ClassPlace[] = [];
  for (const node of walkScript(program)) {
    while (around.length > 1 && !within(around.at(-1) as Range, node.start)) around.pop();
    while (holding.length > 0 && !within(holding.at(-1) as Range, node.start)) holding.pop();
    const [key, value] = namedBy(node);
    const name = value ? nameOf(key) : undefined;
    if (value && name !== undefined) names.set(value, name);
    if (value && name !== undefined && isCalledAtOnce(value))
      wrapped.push({ start: value.start, end: value.end, name });
    noteNode(node, places, around.at(-1) ?? program);
    noteField(node, places, holding.at(-1));
    if (isFunction(node)) {
      if (places.functions.length < MOST_PLACES) places.functions.push(functionOf(node, names.get(node)));
      around.push(node);
    }
    if (isClass(node)) {
      const own = (node as ClassDeclaration | ClassExpression).id?.name;
      const given = names.get(node) ?? innermost(wrapped, node.start)?.name ?? own;
      holding.push({ start: node.start, end: node.end, name: given, fields: new Map() });
      if (places.classes.length < MOST_ALIKE) places.classes.push(holding.at(-1) as ClassPlace);
    }
  }
  return places;
}

function functionOf(node: AnyNode, given: string | undefined): FunctionPlace {
  const params = 'params' in node ? node.params : [];
  const own = node.type === 'FunctionDeclaration' ? node.id?.name : undefined;
  const nameOfParam = (param: Pattern) => nameOf(param.type === 'AssignmentPattern' ? param.left : param);
  return { start: node.start, end: node.end, name: given ?? own, params: params.map(nameOfParam) };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (list.length < MOST_ALIKE) list.push(value);
}

function noteNode(node: AnyNode, places: ScriptStatements, scope: Range): void {
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
    push(places.variables, node.id.name, { start: scope.start, end: scope.end, init: node.init ?? null });
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') noteAssignment(node, places);
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
  const [first, second] = node.arguments;
  const holder = holderOf(node.callee.object);
  const called = nameOf(node.callee);
  if (called === 'send' && first && holder !== undefined)
    push(places.requestBodies, holder, { value: first, at: node.start });
  const named =
    called === 'append' ? places.appended : called === 'setRequestHeader' ? places.requestHeaders : undefined;
  const isNaming = first?.type === 'Literal' && typeof first.value === 'string';
  if (named && isNaming && second && holder !== undefined)
    push(named, holder, { field: String(first.value), value: second, at: node.start });
}

function noteAssignment({ left, right, start }: AssignmentExpression, { assigned }: ScriptStatements): void {
  const field = left.type === 'MemberExpression' && !left.computed ? nameOf(left) : undefined;
  const holder = left.type === 'MemberExpression' ? holderOf(left.object) : undefined;
  if (field !== undefined && holder !== undefined) push(assigned, holder, { field, value: right, at: start });
}

/** Returns `order`, `this` or `this.order`; undefined for other expressions. */
export function holderOf(node: Node): string | undefined {
  const each = node as Expression;
  if (each.type === 'ThisExpression') return 'this';
  if (each.type === 'Identifier') return each.name;
  const isOfThis = each.type === 'MemberExpression' && each.object.type === 'ThisExpression' && !each.computed;
  return isOfThis ? `this.${nameOf(each)}` : undefined;
}

/** Records the values of a class's fields, and what they are created from. */
function noteField(node: AnyNode, { begun }: ScriptStatements, holder: ClassPlace | undefined): void {
  const [key, value] = node.type === 'PropertyDefinition' || isOfThis(node) ? namedBy(node) : [null, null];
  const field = nameOf(key);
  if (field === undefined || !value || !holder) return;
  push(begun, field, { field, value, at: node.start });
  const made = madeOf(value);
  if (made.length > 0) holder.fields.set(field, made);
}

const isOfThis = (node: AnyNode) =>
  node.type === 'AssignmentExpression' &&
  node.left.type === 'MemberExpression' &&
  node.left.object.type === 'ThisExpression';

/** Returns the names in `new Orders()` and `inject(Orders)`. */
export function madeOf(node: Node | null): string[] {
  const each = node as Expression | null;
  if (each?.type !== 'NewExpression' && each?.type !== 'CallExpression') return [];
  const given = each.type === 'NewExpression' ? [each.callee] : each.arguments;
  return given.flatMap((one) => (one.type === 'Identifier' ? [one.name] : []));
}

/** Returns the variable that a name refers to at a position. */
export const variableAt = (name: string, at: number, { variables }: Pick<ScriptStatements, 'variables'>) =>
  innermost(variables.get(name) ?? [], at);
