import { exampleOf } from '../../inventory/example-value.ts';
import { escapeXml } from '../../inventory/xml-leaves.ts';
import { childrenOf, localName, type XmlElement } from './xml-tree.ts';

/** The XML Schemas of a description. */
export interface Schemas {
  /** Returns an element that a schema declares, with example values; undefined if none does. */
  elementOf(name: string): string | undefined;
  /** Returns an element of this name whose content is of a type. */
  valueOf(name: string, type: string): string;
}

const MOST_DEPTH = 8;
/** Bounds the work for recursive types. */
const MOST_ELEMENTS = 300;

interface Declared {
  element: XmlElement;
  namespace: string;
  /** Whether elements within its types are in the namespace of the schema. */
  isQualified: boolean;
}

export function createSchemas(schemas: readonly XmlElement[]): Schemas {
  const [elements, types] = [declaredIn(schemas, 'element'), declaredIn(schemas, 'complexType', 'simpleType')];
  const writer = () => createWriter(elements, types);
  return {
    elementOf(name) {
      const declared = elements.get(name);
      return declared && writer().write(declared, '', 0, true);
    },
    valueOf(name, type) {
      const element = { name: 'element', attributes: new Map([['name', name], ['type', type]]), children: [] }; // biome-ignore format: one element
      return writer().write({ element, namespace: '', isQualified: false }, '', 0);
    },
  };
}

function declaredIn(schemas: readonly XmlElement[], ...kinds: string[]): Map<string, Declared> {
  const found = schemas.flatMap((schema) => {
    const namespace = schema.attributes.get('targetNamespace') ?? '';
    const isQualified = schema.attributes.get('elementFormDefault') === 'qualified';
    return childrenOf(schema, ...kinds).map((element): [string, Declared] => [
      element.attributes.get('name') ?? '',
      { element, namespace, isQualified },
    ]);
  });
  return new Map(found);
}

type ByName = ReadonlyMap<string, Declared>;

function createWriter(elements: ByName, types: ByName) {
  let left = MOST_ELEMENTS;

  /** Writes an element within one whose default namespace is `current`. */
  function write(declared: Declared, current: string, depth: number, isGlobal = false): string {
    const { element, namespace, isQualified } = declared;
    const referred = elements.get(localName(element.attributes.get('ref') ?? ''));
    if (depth > MOST_DEPTH || left-- <= 0) return '';
    if (referred) return write(referred, current, depth + 1, true);
    const name = element.attributes.get('name') ?? '';
    if (!/^[\p{L}_][\p{L}\p{N}_.-]{0,200}$/u.test(name)) return '';
    const own = isGlobal || (element.attributes.get('form') ?? (isQualified ? 'qualified' : '')) === 'qualified';
    const inside = own ? namespace : '';
    const opened = inside === current ? name : `${name} xmlns="${escapeXml(inside, true)}"`;
    const [inline] = childrenOf(element, 'complexType', 'simpleType');
    const type = element.attributes.get('type') ?? 'string';
    const typed = inline ? { ...declared, element: inline } : types.get(localName(type));
    const content = typed ? contentOf(typed, inside, depth + 1) : { attributes: '', text: simple(localName(type)) };
    return `<${opened}${content.attributes}>${content.text}</${name}>`;
  }

  function contentOf(declared: Declared, current: string, depth: number): { attributes: string; text: string } {
    const { element } = declared;
    if (element.name === 'simpleType') return { attributes: '', text: valueOfSimple(element) };
    const [derived] = childrenOf(element, 'complexContent', 'simpleContent');
    const [extension] = childrenOf(derived, 'extension', 'restriction');
    const base = localName(extension?.attributes.get('base') ?? '');
    const parent = types.get(base);
    const isSimple = derived?.name === 'simpleContent' && !parent;
    const inherited = parent && depth <= MOST_DEPTH ? contentOf(parent, current, depth + 1) : undefined;
    const holder = extension ?? element;
    const attributes = childrenOf(holder, 'attribute').map(attributeText).join('');
    const text = isSimple ? simple(base) : groupText({ ...declared, element: holder }, current, depth);
    return { attributes: (inherited?.attributes ?? '') + attributes, text: (inherited?.text ?? '') + text };
  }

  function groupText(declared: Declared, current: string, depth: number): string {
    const groups = childrenOf(declared.element, 'sequence', 'all', 'choice', 'element');
    const texts = groups.map((group) => {
      const inner = { ...declared, element: group };
      return group.name === 'element' ? write(inner, current, depth) : groupText(inner, current, depth);
    });
    return declared.element.name === 'choice' ? (texts[0] ?? '') : texts.join('');
  }

  function attributeText(element: XmlElement): string {
    const name = element.attributes.get('name') ?? '';
    if (!/^[\p{L}_][\p{L}\p{N}_.-]{0,200}$/u.test(name) || element.attributes.get('use') === 'prohibited') return '';
    const [inline] = childrenOf(element, 'simpleType');
    const value = inline ? valueOfSimple(inline) : simple(localName(element.attributes.get('type') ?? 'string'));
    return ` ${name}="${value.replaceAll('"', '&quot;')}"`;
  }

  function valueOfSimple(element: XmlElement): string {
    const [restriction] = childrenOf(element, 'restriction');
    const [choice] = childrenOf(restriction, 'enumeration');
    const value = choice?.attributes.get('value');
    return value === undefined ? simple(localName(restriction?.attributes.get('base') ?? '')) : escapeXml(value, false);
  }

  function simple(type: string): string {
    const declared = types.get(type)?.element;
    // A type that is derived from itself ends as a string.
    if (declared?.name === 'simpleType' && left-- > 0) return valueOfSimple(declared);
    return String(exampleOf(SIMPLE[type] ?? {}, () => SIMPLE[type] ?? {}));
  }

  return { write };
}

const NUMBERS =
  'int integer long short byte decimal float double unsignedInt unsignedLong unsignedShort unsignedByte positiveInteger nonNegativeInteger'.split(
    ' ',
  );
const SIMPLE: Readonly<Record<string, { type?: string; format?: string; example?: string }>> = {
  ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'integer' }])),
  boolean: { type: 'boolean' },
  date: { format: 'date' },
  dateTime: { format: 'date-time' },
  time: { example: '12:00:00Z' },
  anyURI: { format: 'uri' },
  base64Binary: { format: 'byte' },
};
