import { defineRequestCheck, type LabRequest, type Nonce } from '../../active-check.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory.ts';
import { textOf } from '../../oracle/private-content.ts';
import { type PointRequest, requestWith } from '../../point.ts';

const LABELS = {
  before: 'a name that nobody has',
  put: 'a file of that name, put there',
  after: 'what everybody is shown there',
  back: 'the file, deleted',
} as const;

/** The name of the file. */
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

export default defineRequestCheck<null>({
  id: 'file-by-put',
  title: 'Files can be put on the server by whoever knows how',
  cwe: 650,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:L/A:N',
  why: 'The method PUT writes a file of any name, and everybody is shown it. Whoever can do that puts pages with scripts on the site, and on many servers programs. The test has put a text there; where it could not delete it, it is still there.',
  fix: 'Switch PUT off where no program needs it. Where one does, ask who sends it, and choose the names yourself. Remove what the test has left.',
  risk: 'intrusive',
  depth: 'STANDARD',
  // What takes JSON keeps records, not files.
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
      return [
        { label: LABELS.before, request: { method: 'GET', url }, as: null },
        { label: LABELS.put, request: putting(url, nonce) },
        { label: LABELS.after, request: { method: 'GET', url }, as: null },
        { label: LABELS.back, request: { method: 'DELETE', url }, isCleanUp: true },
      ];
    },
    judge(answers, _variant, nonce) {
      const [before, after] = [answers.get(LABELS.before), answers.get(LABELS.after)];
      if (!before?.response || !after?.response) return 'VOID';
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
