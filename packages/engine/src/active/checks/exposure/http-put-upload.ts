import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp, type Nonce } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';

/** Returns the path parameter that holds the file name. */
function nameIn({ url, parameters }: InventoryItem): Parameter | undefined {
  const last = String(new URL(url).pathname.split('/').length - 2);
  return parameters.find(({ location, name }) => location === 'path' && name === last);
}

function addressOf(item: InventoryItem, { word }: Pick<Nonce, 'word'>): string {
  const parameter = nameIn(item);
  return parameter ? requestWith({ item, parameter }, `${word}.txt`).url : item.url;
}

const putting = (url: string, nonce: Nonce): PointRequest => ({
  method: 'PUT',
  url,
  headers: [['Content-Type', 'text/plain']],
  body: contentOf(nonce),
});

const contentOf = ({ word, numbers }: Nonce) => `${word} was here, ${numbers.join(' ')}\n`;

export default defineRequestCheck({
  id: 'http-put-upload',
  title: 'HTTP PUT enabled: arbitrary files can be written',
  cwe: 650,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:L/SI:L/SA:N',
  impact: 'An attacker publishes pages of their own on the site, whose scripts run in the sessions of its visitors.',
  why: 'The server stores the body of a PUT request under any file name and serves it to everyone. An attacker publishes pages with scripts on the site, or on many servers executable code. A text file that the test uploaded was served without a session. The test tried to delete it; where DELETE is refused, it is still there.',
  fix: 'Disable PUT where no client needs it. Otherwise require authentication and authorization, and choose file names on the server. Delete the file that the test uploaded.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/06-Test_HTTP_Methods',
    'https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/650.html',
  ],
  risk: 'intrusive',
  namesOwn: true,
  depth: 'STANDARD',
  // JSON endpoints store records instead of files.
  appliesTo: (item) =>
    item.method === 'PUT' && nameIn(item) !== undefined && !/json/i.test(item.body?.type ?? item.contentType),
  variants: [null],
  async probe(item, nonce, { ask, willChange }) {
    const url = addressOf(item, nonce);
    const change = await willChange([{ method: 'DELETE', url }]);
    const { response } = await ask(putting(url, nonce));
    if (response && response.status >= 400) change.forget();
    else await change.takeBack();
    return response && response.status < 300 ? this.variants : [];
  },
  maxRequests: 10,
  proof: {
    plan(item, _variant, nonce) {
      const url = addressOf(item, nonce);
      const reading = { request: { method: 'GET', url }, as: null };
      return {
        before: { label: 'file name that does not exist', ...reading, isControl: true },
        put: { label: 'file uploaded by PUT', request: putting(url, nonce) },
        after: { label: 'uploaded file without a session', ...reading },
        back: cleanUp({
          label: 'uploaded file deleted',
          request: { method: 'DELETE', url },
        }),
      };
    },
    judge({ before, after }, _variant, nonce) {
      const isThere = after.response.status === 200 && textOf(after) === contentOf(nonce);
      return isThere && textOf(before) !== contentOf(nonce) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const folder = (isOpen: boolean) => {
      const files = new Map<string, string>();
      return ({ method, path, body }: LabRequest) => {
        if (method === 'PUT' && !isOpen) return { status: 405, body: 'Not here' };
        if (method === 'PUT') files.set(path, body);
        if (method === 'DELETE') files.delete(path);
        return { status: files.has(path) ? 200 : 404, body: files.get(path) ?? 'No such file' };
      };
    };
    return {
      item: {
        method: 'PUT',
        url: '/leaflets/1',
        parameters: [{ location: 'path', name: '3', value: '1' }],
        seenAs: 'alice',
        contentType: 'text/plain',
      },
      vulnerable: folder(true),
      safe: folder(false),
    };
  },
});
