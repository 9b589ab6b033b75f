import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll, isGiven, leavesOf, textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { LabRequest } from '../../lab.ts';
import { freshly, isMetBy, readsOnly } from '../../shared/accounts.ts';

const NAMED = /(?:^|[/_.-])(?:\w*config\w*|settings|env|environment|properties)(?=$|[/_.?-])/i;
/** Addresses that only the server and its network can reach. */
const INTERNAL =
  /^(?:\w+:\/\/)?(?:[^\s/@]+@)?(localhost|127(?:\.\d{1,3}){3}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|[\w.-]+\.(?:internal|local|svc|lan))(?::(\d{1,5}))?(?:[/?#]|$)/i;
/** A client gets an address and little more; the configuration of a server has many values. */
const FEWEST_VALUES = 10;
const MOST_SHOWN = 3;

/** Returns the fields of the document that name internal addresses other than the target's own. */
function internalFields(text: string, url: string): string[] {
  const leaves = leavesOf(text);
  if (leaves.length < FEWEST_VALUES) return [];
  const { hostname, port } = new URL(url);
  const isInternal = (value: unknown) => {
    const [found, host, at = ''] = (typeof value === 'string' && INTERNAL.exec(value)) || [];
    return found !== undefined && !(host === hostname && at === port);
  };
  const keys = leaves.flatMap(({ key, value }) => (isInternal(value) ? [key] : []));
  return [...new Set(keys)].slice(0, MOST_SHOWN);
}

function nextTo({ url }: InventoryItem, word: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/[^/]*\/?$/, word);
}

export default defineRequestCheck({
  id: 'configuration-disclosure',
  title: 'Data exposure: application configuration readable without a login',
  cwe: 200,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker learns internal addresses, components and settings of the server, and selects attacks that fit.',
  why: 'The server returns its configuration to visitors, including addresses that only its own network can reach. An attacker learns how the application is set up and where to aim requests that the server can be made to send. A request without a login returned the document with internal addresses; a path next to it that does not exist did not.',
  fix: 'Return only the settings that the client needs, from an allowlist of keys, and restrict the complete configuration to administrators. Keep addresses of internal services out of responses.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa8-security-misconfiguration/',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  needsNoAccount: true,
  appliesTo: (item) =>
    item.method === 'GET' &&
    readsOnly(item) &&
    isMetBy(item, null) &&
    /json|^$/i.test(item.contentType) &&
    NAMED.test(new URL(item.url).pathname),
  /** Names of the fields. */
  variants: [['']],
  maxRequests: 5,
  async probe(item, _nonce, { ask }) {
    const exchange = await ask(freshly(requestOf(item)), null);
    const fields = exchange.response?.status === 200 ? internalFields(textOf(exchange), item.url) : [];
    return fields.length > 0 ? [fields] : [];
  },
  describe: (fields) => ({ fields }),
  proof: {
    plan: (item, _fields, { word }) => ({
      open: { label: 'configuration, without a login', request: freshly(requestOf(item)), as: null },
      elsewhere: {
        label: 'path next to it that does not exist',
        request: { method: 'GET', url: nextTo(item, word) },
        as: null,
        isControl: true,
      },
    }),
    judge(answers, fields, _nonce, item) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { open, elsewhere } = compared;
      const isShown = isGiven(open) && internalFields(open.text, item.url).some((key) => fields.includes(key));
      const isCommon = isGiven(elsewhere) && internalFields(elsewhere.text, item.url).length > 0;
      // The application may mean it to be public.
      return isShown && !isCommon ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const answer =
      (isComplete: boolean) =>
      ({ path }: LabRequest) => {
        if (path !== '/api/config') return { status: 404 };
        const shown = Object.fromEntries(['teas', 'cups', 'theme', 'locale', 'currency'].map((name) => [name, name]));
        const server = { port: 8080, baseUrl: 'http://localhost:8080', cache: 'redis://10.0.4.7:6379', workers: 4 };
        const kept = isComplete
          ? { server, mail: { from: 'tea@shop.test' } }
          : { baseUrl: 'https://shop.test', build: 4 };
        const more = { version: '1.4.2', name: 'The tea shop', currencySymbol: '£' };
        return {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...shown, ...more, ...kept }),
        };
      };
    return {
      item: { method: 'GET', url: '/api/config', parameters: [], seenAs: null, contentType: 'application/json' },
      confidence: 'FIRM',
      vulnerable: answer(true),
      safe: answer(false),
    };
  },
});
