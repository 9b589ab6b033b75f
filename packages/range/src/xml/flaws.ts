import { plant } from '../flaw.ts';

export const xmlFlaws = [
  plant({
    id: 'entities-in-import',
    check: 'XXE',
    title: 'The import of a wish list opens files that the XML names',
    method: 'POST',
    path: '/api/wishes/import',
    location: 'body',
    parameter: 'wish',
    sample: '<?xml version="1.0"?><wishes><wish>Kettle</wish></wishes>',
    safePath: '/api/wishes/load',
    note: 'The parser knows general entities and opens only made-up files: /etc/passwd and /etc/hostname are among them. It really calls only what the range was started with (--may-call).',
  }),
  plant({
    id: 'entities-unseen',
    check: 'XXE',
    title: 'The order by XML opens what the document names, and shows nothing of it',
    method: 'POST',
    path: '/api/wishes/order',
    location: 'body',
    parameter: 'wish',
    sample: '<?xml version="1.0"?><wishes><wish>Kettle</wish></wishes>',
    safePath: '/api/wishes/request',
    needs: 'listener',
    note: 'It really calls only what the range was started with (--may-call).',
  }),
];
