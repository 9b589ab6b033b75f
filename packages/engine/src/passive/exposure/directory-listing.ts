import { definePassiveCheck } from '../../check.ts';

/** Of Apache, nginx and most others; of IIS; of Python. */
const LISTING =
  /<title>\s*Index of \/|<h1>\s*Index of \/|\[To Parent Directory\]<\/a>|<title>Directory listing for \/|<title>listing directory \/|<title>Directory(?: Listing For \[|: )\//i;

export default definePassiveCheck({
  id: 'directory-listing',
  group: 'exposure',
  severity: 'MEDIUM',
  cwe: 548,
  title: 'The server lists the files of a folder',
  why: 'A list shows every file, also copies, drafts and backups that nothing links to.',
  fix: 'Switch lists off (Options -Indexes in Apache, autoindex off in nginx), or put an index page into the folder.',
  recipe: { set: 'no listing' },
  references: ['https://cwe.mitre.org/data/definitions/548.html'],
  needs: ['directories', 'mainDocument'],

  *run({ directories, mainDocument: { url, status, body } }) {
    for (const page of [{ url: url.href, status, body }, ...directories]) {
      const shown = page.status === 200 ? LISTING.exec(page.body)?.[0] : undefined;
      if (shown !== undefined) yield { url: page.url, evidence: `GET ${page.url} holds: ${shown}` };
    }
  },

  examples: [
    { name: 'of the scanned folder', given: { body: '<html><title>Index of /</title>' }, fails: 1 },
    {
      name: 'as Express writes it',
      given: { directories: [{ body: '<title>listing directory /files</title>' }] },
      fails: 1,
    },
    {
      name: 'as Tomcat writes it',
      given: { directories: [{ body: '<title>Directory Listing For [/files/]</title>' }] },
      fails: 1,
    },
    { name: 'as Jetty writes it', given: { directories: [{ body: '<title>Directory: /files/</title>' }] }, fails: 1 },
    { name: 'of a folder', given: { directories: [{ body: '<title>Index of /images/</title>' }] }, fails: 1 },
    { name: 'of IIS', given: { directories: [{ body: '<A HREF="/">[To Parent Directory]</A><br>' }] }, fails: 1 },
    {
      name: 'none',
      given: { directories: [{ status: 403, body: 'Index of /' }, { body: '<h1>Images</h1>' }] },
      fails: 0,
    },
    { name: 'a page about it', given: { body: '<title>Why "Index of /" is bad</title>' }, fails: 0 },
  ],
});
