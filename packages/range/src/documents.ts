import path from 'node:path/posix';
import { type Answer, html, text, type Visit } from './answer.ts';
import { readMadeUpFile } from './made-up-files.ts';
import { escapeHtml, page } from './page.ts';

const FOLDER = '/srv/shop/documents';

export const documentNames = ['returns.txt', 'delivery.txt'];

const readUnsafely = (name: string) => readMadeUpFile(path.join(FOLDER, name));

function answerWith(visit: Visit, name: string, content: string | undefined): Answer {
  if (content !== undefined) return text(content);
  const problem = `<p class="problem">There is no document named ${escapeHtml(name)}.</p>`;
  return html(page(visit, { title: 'No such document', content: problem }), 404);
}

/** The flaw: path traversal, because the name may contain `../`. */
export function openDocumentUnsafely(visit: Visit): Answer {
  const name = visit.query.get('file') ?? '';
  return answerWith(visit, name, readUnsafely(name));
}

export function openDocument(visit: Visit): Answer {
  const name = visit.query.get('file') ?? '';
  return answerWith(visit, name, documentNames.includes(name) ? readUnsafely(name) : undefined);
}
