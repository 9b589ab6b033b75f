import path from 'node:path/posix';
import { type Answer, decode, html, json, type Routes, readJson, text, type Visit } from '../answer.ts';
import { canOpenMadeUpFile, readMadeUpFile } from '../made-up-files.ts';
import { page } from '../page.ts';

const FOLDER = '/srv/shop/manuals';
const MANUALS = ['tent.txt', 'stove.txt'];

function show(visit: Visit, content: string | undefined): Answer {
  if (content !== undefined) return text(content);
  return html(page(visit, { title: 'No such manual', content: '<p>We have never had that.</p>' }), 404);
}

function print(content: string | undefined): Answer {
  return content === undefined ? json({ error: 'no such layout' }, 404) : json({ receipt: content });
}

/** The flaws: path traversal, because each joins the value to a folder with little or no sanitizing. */
export function fileRoutes(): Routes {
  const known = (name: string) => (MANUALS.includes(name) ? readMadeUpFile(path.join(FOLDER, name)) : undefined);
  const name = ({ query }: Visit) => query.get('name') ?? '';
  const wanted = (visit: Visit) => String(readJson(visit)?.file ?? '');
  const stock = (content: string | undefined) => json({ isThere: content !== undefined });
  const drawing = ({ form }: Visit) => form.get('drawing') ?? '';
  const drawn = (visit: Visit, isOpen: boolean) =>
    html(page(visit, { title: 'Sketches', content: `<p>${isOpen ? 'The paper is ready.' : 'No paper there.'}</p>` }));
  const layout = (visit: Visit) => String(readJson(visit)?.layout ?? '');
  return {
    'GET /manuals': (visit) => show(visit, readMadeUpFile(path.join(FOLDER, name(visit).replaceAll('../', '')))),
    'GET /handbooks': (visit) => show(visit, known(name(visit))),
    'GET /print/{id}': (visit) => show(visit, readMadeUpFile(path.join(FOLDER, decode(visit.id)))),
    'GET /read/{id}': (visit) => show(visit, known(decode(visit.id))),
    'POST /api/layouts/look-up': (visit) => stock(readMadeUpFile(path.join(FOLDER, wanted(visit)))),
    'POST /api/layouts/search': (visit) => stock(known(wanted(visit))),
    'POST /sketch': (visit) => drawn(visit, canOpenMadeUpFile(FOLDER, drawing(visit))),
    // Looks the same to names without digits, but opens nothing.
    'POST /outline': (visit) => drawn(visit, /^[a-z./]+$/.test(drawing(visit))),
    'POST /api/receipts/print': (visit) => print(readMadeUpFile(path.resolve(FOLDER, layout(visit)))),
    'POST /api/receipts/show': (visit) => print(known(path.relative(FOLDER, path.resolve(FOLDER, layout(visit))))),
  };
}
