import { isUnprotected } from '../../../evidence/page/view-state.ts';
import type { PageElement } from '../../../html/scan-page.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const FACES = /^(?:javax|jakarta)\.faces\.ViewState$/;
/** Base64 prefixes of compressed and plain serialized Java objects. */
const JAVA_OBJECT = /^(?:H4sI|rO0AB)/;

function flawOf({ name, attributes }: PageElement): string | undefined {
  const field = attributes.get('name') ?? '';
  const value = attributes.get('value') ?? '';
  if (name !== 'input' || value === '') return undefined;
  if (field === '__VIEWSTATE' && isUnprotected(value)) return `${field} is neither encrypted nor signed`;
  return FACES.test(field) && JAVA_OBJECT.test(value)
    ? `${field} contains a readable serialized Java object`
    : undefined;
}

const state = (name: string, value: string) => ({
  body: `<form><input type=hidden name="${name}" value="${value}"></form>`,
});
/** Serialized pair of a string and null. */
const TREE = [0xff, 0x01, 0x0f, 0x05, 3, 0x61, 0x62, 0x63, 0x64];
const aspNet = (after: number) =>
  state('__VIEWSTATE', Buffer.from([...TREE, ...Array.from({ length: after }, () => 7)]).toString('base64'));

export default definePassiveCheck({
  id: 'viewstate-unprotected',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 642,
  title: 'ViewState is not signed or encrypted',
  why: 'The page contains an ASP.NET or JSF ViewState without a signature or encryption. An attacker can read and change it, and the server deserializes what comes back: in the worst case this leads to remote code execution. We decode the field but send no modified state.',
  fix: 'ASP.NET: keep enableViewStateMac on and set viewStateEncryptionMode="Always". JSF: store the state on the server, or encrypt it.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    'https://learn.microsoft.com/previous-versions/aspnet/bb386448(v=vs.100)',
    'https://cwe.mitre.org/data/definitions/642.html',
  ],
  needs: ['page'],

  *run({ page }) {
    for (const flaw of new Set(page.elements.map(flawOf))) if (flaw !== undefined) yield { evidence: flaw };
  },

  examples: [
    { name: 'ASP.NET without MAC', given: aspNet(0), fails: 1 },
    { name: 'JSF, compressed', given: state('javax.faces.ViewState', 'H4sIAAAAAAAA'), fails: 1 },
    { name: 'JSF, plain', given: state('jakarta.faces.ViewState', 'rO0ABXVyABNb'), fails: 1 },
    { name: 'ASP.NET with a 20-byte MAC', given: aspNet(20), fails: 0 },
    { name: 'ASP.NET with a 32-byte MAC', given: aspNet(32), fails: 0 },
    { name: 'encrypted', given: state('__VIEWSTATE', 'q0qPz3dT6l0pUYc2vWqVJw=='), fails: 0 },
    {
      name: 'truncated',
      given: state('__VIEWSTATE', Buffer.from(TREE.slice(0, 6)).toString('base64')),
      fails: 0,
    },
    { name: 'JSF state on the server', given: state('javax.faces.ViewState', '-4832749238:928347'), fails: 0 },
    { name: 'no ViewState', given: {}, fails: 0 },
  ],
});
