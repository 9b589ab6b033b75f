import path from 'node:path/posix';
import { type Answer, html, json, type Routes, type Visit } from '../answer.ts';
import { page } from '../page.ts';
import { createShelf } from '../services.ts';
import { readFile, type SentFile } from './multipart.ts';

const PICTURES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif' };
const MOST_FILES = 50;
const ACTIVE: Record<string, string> = { ...PICTURES, html: 'text/html', svg: 'image/svg+xml', txt: 'text/plain' };

const extensionOf = (name: string) => path.extname(name).slice(1).toLowerCase();
const nothing = (visit: Visit) => html(page(visit, { title: 'Nothing here', content: '<p>Nothing.</p>' }), 404);

type Keep = (file: SentFile) => string | undefined;

function taking(field: string, keep: Keep): (visit: Visit) => Answer {
  return (visit) => {
    const file = readFile(visit, field);
    const place = file && keep(file);
    return place === undefined ? json({ error: 'we cannot take that' }, 400) : json({ url: place }, 201);
  };
}

function serve(visit: Visit, file: SentFile | undefined, headers: Record<string, string> = {}): Answer {
  if (!file) return nothing(visit);
  return { status: 200, headers: { 'content-type': file.contentType, ...headers }, body: file.content };
}

export function uploadRoutes(): Routes {
  const pictures = createShelf<SentFile>(MOST_FILES);
  const photos = createShelf<SentFile>(MOST_FILES);
  const tree = createShelf<SentFile>(MOST_FILES);
  const enclosures = createShelf<SentFile>(MOST_FILES);
  return {
    /** The flaw: unrestricted upload, served with the content type of its file extension. */
    'POST /pictures': taking('file', (file) => {
      const contentType = ACTIVE[extensionOf(file.name)] ?? file.contentType;
      return `/pictures/${pictures.put({ ...file, contentType })}`;
    }),
    'GET /pictures/{id}': (visit) => serve(visit, pictures.get(visit.id)),
    'POST /photos': taking('file', (file) => {
      const contentType = PICTURES[extensionOf(file.name)];
      return contentType && `/photos/${photos.put({ ...file, contentType })}`;
    }),
    'GET /photos/{id}': (visit) =>
      serve(visit, photos.get(visit.id), { 'x-content-type-options': 'nosniff', 'content-disposition': 'attachment' }),
    /** The flaw: path traversal in the file name, and everything below /public is served. */
    'POST /attachments': taking('file', (file) => {
      const place = path.join('/public/attachments', file.name);
      tree.put({ ...file, contentType: 'text/plain' }, place);
      return place;
    }),
    'POST /enclosures': taking('file', (file) => {
      const place = `/public/enclosures/${path.basename(file.name)}`;
      enclosures.put({ ...file, contentType: 'text/plain' }, place);
      return place;
    }),
    'GET /public/*': (visit) => serve(visit, tree.get(`/public/${visit.id}`) ?? enclosures.get(`/public/${visit.id}`)),
  };
}
