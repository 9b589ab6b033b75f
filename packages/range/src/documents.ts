import path from 'node:path/posix';
import { type Answer, html, text, type Visit } from './answer.ts';
import { escapeHtml, page } from './page.ts';

const FOLDER = '/srv/shop/documents';

/** A file system made up in memory: there is nothing else to climb out into. */
const files: Record<string, string> = {
  [`${FOLDER}/returns.txt`]: 'Bring it back within 30 days, with the pegs.\n',
  [`${FOLDER}/delivery.txt`]: 'We deliver on foot. It takes a while.\n',
  '/srv/shop/settings.ini': '[payments]\nprovider = none\nkey = made-up-key-of-the-range\n',
  '/etc/hostname': 'range\n',
  '/etc/passwd':
    'root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nshop:x:1000:1000:The Range:/srv/shop:/bin/sh\n',
};

export const documentNames = ['returns.txt', 'delivery.txt'];

function readUnsafely(name: string): string | undefined {
  const place = path.join(FOLDER, name);
  return Object.hasOwn(files, place) ? files[place] : undefined;
}

function answerWith(visit: Visit, name: string, content: string | undefined): Answer {
  if (content !== undefined) return text(content);
  const problem = `<p class="problem">There is no document named ${escapeHtml(name)}.</p>`;
  return html(page(visit, { title: 'No such document', content: problem }), 404);
}

/** The flaw: the name may contain `../`. */
export function openDocumentUnsafely(visit: Visit): Answer {
  const name = visit.query.get('file') ?? '';
  return answerWith(visit, name, readUnsafely(name));
}

export function openDocument(visit: Visit): Answer {
  const name = visit.query.get('file') ?? '';
  return answerWith(visit, name, documentNames.includes(name) ? readUnsafely(name) : undefined);
}
