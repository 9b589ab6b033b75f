import { scanXml, type XmlPart } from '../../inventory/scan-xml.ts';
import { escapeXml } from '../../inventory/xml-leaves.ts';
import { resolveUrl } from '../read-page.ts';
import { localName } from './xml-tree.ts';

const MOST_DOCUMENTS = 30;
/** Elements of WSDL and XML Schema that name another document. */
const IMPORTS = new Set(['import', 'include', 'redefine']);

type Read = (url: string) => Promise<string | undefined>;
type Opened = Extract<XmlPart, { kind: 'open' }>;

interface Import {
  url: string;
  /** Target namespace of the schema that includes the document. */
  namespace: string;
}

/**
 * Resolves to a WSDL document that contains the documents and schemas it imports. `read` resolves to undefined for
 * URLs that may not be requested.
 */
export async function bundleImports(text: string, url: string, read: Read): Promise<string> {
  const root = rootOf(text);
  if (!root) return text;
  const known = new Set([url]);
  const waiting = importsIn(root.parts, url);
  const contents: string[] = [];
  let documents = 0;
  // Grows during iteration: imported documents import further ones.
  for (const { url: place, namespace } of waiting) {
    if (known.has(place) || documents >= MOST_DOCUMENTS) continue;
    documents++;
    known.add(place);
    const imported = (await read(place)) ?? (await readAtOrigin(place, url, { known, read }));
    const other = imported === undefined ? undefined : rootOf(imported);
    if (imported === undefined || !other) continue;
    contents.push(contentOf(imported, other, namespace));
    waiting.push(...importsIn(other.parts, place, namespace));
  }
  return text.slice(0, root.closesAt) + contents.join('') + text.slice(root.closesAt);
}

/**
 * Generated documents often name the host of a development machine: the same path is tried at the document's origin,
 * unless that is known as well.
 */
async function readAtOrigin(
  place: string,
  documentUrl: string,
  { known, read }: { known: Set<string>; read: Read },
): Promise<string | undefined> {
  const { pathname, search } = new URL(place);
  const own = new URL(documentUrl).origin + pathname + search;
  return known.size < known.add(own).size ? read(own) : undefined;
}

interface Root {
  parts: readonly XmlPart[];
  opened: Opened;
  /** Position of its end tag. */
  closesAt: number;
}

/** Returns undefined for a document that is not well-formed or has no content. */
function rootOf(document: string): Root | undefined {
  const parts = scanXml(document.replace(/^\uFEFF/, ' ')) ?? [];
  const opened = parts.find((part): part is Opened => part.kind === 'open');
  const closed = parts.findLast((part) => part.kind === 'close');
  return opened && closed && closed.start >= opened.end ? { parts, opened, closesAt: closed.start } : undefined;
}

const attributeOf = ({ attributes }: Opened, name: string) =>
  attributes.find((each) => localName(each.name) === name)?.value ?? '';

/** An included schema without a namespace takes that of the including one, and passes it on. */
function importsIn(parts: readonly XmlPart[], base: string, inherited = ''): Import[] {
  const found: Import[] = [];
  let current = inherited;
  for (const part of parts) {
    if (part.kind !== 'open') continue;
    const name = localName(part.name);
    if (name === 'schema') current = attributeOf(part, 'targetNamespace') || inherited;
    const reference = IMPORTS.has(name) ? attributeOf(part, 'location') || attributeOf(part, 'schemaLocation') : '';
    const url = reference === '' ? undefined : resolveUrl(reference, base);
    if (url !== undefined) found.push({ url, namespace: name === 'import' ? '' : current });
  }
  return found;
}

/** Returns what an imported document adds to the importing one: definitions their content, a schema itself. */
function contentOf(document: string, { opened, closesAt }: Root, namespace: string): string {
  const inner = document.slice(opened.end, closesAt);
  const kind = localName(opened.name);
  if (kind === 'definitions') return inner;
  if (kind !== 'schema') return '';
  // No attribute contains this character, so that it starts the tag.
  const tag = document.slice(document.lastIndexOf('<', opened.end - 1), opened.end - 1);
  const isOfNone = namespace !== '' && attributeOf(opened, 'targetNamespace') === '';
  const added = isOfNone ? ` targetNamespace="${escapeXml(namespace, true)}"` : '';
  return `<types>${tag}${added}>${inner}</${opened.name}></types>`;
}
