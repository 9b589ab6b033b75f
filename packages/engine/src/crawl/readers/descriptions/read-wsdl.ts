import { apiDescriptionKind } from '@sortie/contract';
import { judge } from '../../effect/judge.ts';
import { factsOf } from '../../inventory/effects.ts';
import type { InventoryItem } from '../../inventory/inventory.ts';
import { escapeXml } from '../../inventory/xml-leaves.ts';
import { draftOf } from '../../requests/draft.ts';
import { basesOf, type Description } from './description.ts';
import { createSchemas, type Schemas } from './xml-schema.ts';
import { childrenOf, localName, parseXml, type XmlElement } from './xml-tree.ts';

const MOST_OPERATIONS = 500;
const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/';

/** One operation of a binding, with the address of its service. */
interface Operation {
  name: string;
  action: string;
  /** Of the element that an RPC request wraps its values in. */
  namespace: string;
  isRpc: boolean;
  /** Parts of the input message. */
  parts: XmlElement[];
  path: string;
}

/**
 * WSDL 1.1 with SOAP 1.1 over HTTP. Returns undefined for other documents. Imports of other documents are not read: see
 * `bundleReferences`.
 */
export function describeWsdl(text: string, documentUrl: string): Description | undefined {
  if (apiDescriptionKind(text) !== 'WSDL') return undefined;
  const root = parseXml(text);
  if (root?.name !== 'definitions') return undefined;
  const schemas = createSchemas(childrenOf(root, 'types').flatMap((each) => childrenOf(each, 'schema')));
  const ports = childrenOf(root, 'service').flatMap((service) => childrenOf(service, 'port'));
  const addresses = ports.map((port) => [bindingOf(port), addressOf(port)] as const);
  const operations = operationsOf(root, new Map(addresses), new URL(documentUrl).pathname);
  if (operations.length === 0) return undefined;
  const origins = addresses.flatMap(([, address]) => URL.parse(address)?.origin ?? []);
  return {
    format: 'wsdl',
    bases: basesOf(origins, documentUrl).filter((base) => new URL(base).pathname === '/'),
    requestsAt: (base) => operations.flatMap((operation) => itemOf(operation, schemas, base) ?? []),
  };
}

const attributeOf = (element: XmlElement | undefined, name: string) => element?.attributes.get(name) ?? '';
const bindingOf = (port: XmlElement) => localName(attributeOf(port, 'binding'));
const addressOf = (port: XmlElement) => attributeOf(childrenOf(port, 'address')[0], 'location');

function operationsOf(root: XmlElement, addresses: ReadonlyMap<string, string>, ownPath: string): Operation[] {
  const named = (kind: string) => new Map(childrenOf(root, kind).map((each) => [attributeOf(each, 'name'), each]));
  const [messages, portTypes] = [named('message'), named('portType')];
  const found = new Map<string, Operation>();
  for (const binding of childrenOf(root, 'binding')) {
    const [soap] = childrenOf(binding, 'binding');
    const style = attributeOf(soap, 'style');
    // Bindings to plain HTTP have a verb instead.
    if (!soap || soap.attributes.has('verb')) continue;
    const path = pathOf(addresses.get(attributeOf(binding, 'name')) ?? '') ?? ownPath;
    const types = childrenOf(portTypes.get(localName(attributeOf(binding, 'type'))), 'operation');
    for (const each of childrenOf(binding, 'operation')) {
      const name = attributeOf(each, 'name');
      const type = types.find((one) => attributeOf(one, 'name') === name);
      const [told] = childrenOf(each, 'operation');
      const [body] = childrenOf(childrenOf(each, 'input')[0], 'body');
      const message = messages.get(localName(attributeOf(childrenOf(type, 'input')[0], 'message')));
      const operation: Operation = {
        name,
        path,
        action: attributeOf(told, 'soapAction'),
        namespace: attributeOf(body, 'namespace') || attributeOf(root, 'targetNamespace'),
        isRpc: (attributeOf(told, 'style') || style) === 'rpc',
        parts: childrenOf(message, 'part'),
      };
      // SOAP 1.1 and 1.2 bindings of a service have the same operations.
      const key = `${path} ${name}`;
      if (found.size < MOST_OPERATIONS && !found.has(key)) found.set(key, operation);
    }
  }
  return [...found.values()];
}

const pathOf = (address: string) => URL.parse(address)?.pathname;

/** Document style sends the declared element; RPC style wraps the parts in an element named like the operation. */
function itemOf(operation: Operation, schemas: Schemas, base: string): InventoryItem | undefined {
  const { name, action, path } = operation;
  const text = `<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="${ENVELOPE}"><soapenv:Body>${contentOf(operation, schemas)}</soapenv:Body></soapenv:Envelope>`;
  const item = draftOf({
    method: 'POST',
    url: base + path,
    source: 'description',
    words: { names: [name] },
    body: { type: 'text/xml; charset=utf-8', text },
    others: [{ location: 'header', name: 'SOAPAction', value: `"${action}"` }],
  });
  return item && { ...item, procedure: name, ...factsOf(judge({ procedure: name, url: item.url })) };
}

function contentOf({ name, namespace, isRpc, parts }: Operation, schemas: Schemas): string {
  const written = parts.map((part) => {
    const element = schemas.elementOf(localName(attributeOf(part, 'element')));
    return element ?? schemas.valueOf(attributeOf(part, 'name'), attributeOf(part, 'type') || 'string');
  });
  return isRpc
    ? `<op:${name} xmlns:op="${escapeXml(namespace, true)}">${written.join('')}</op:${name}>`
    : written.join('');
}
