import { definePassiveCheck } from '../../define-passive-check.ts';

/** Listing pages of Apache, nginx, IIS, Python, Express, Tomcat and Jetty. */
const LISTING =
  /<title>\s*Index of \/|<h1>\s*Index of \/|\[To Parent Directory\]<\/a>|<title>Directory listing for \/|<title>listing directory \/|<title>Directory(?: Listing For \[|: )\//i;

export default definePassiveCheck({
  id: 'directory-listing',
  group: 'exposure',
  severity: 'MEDIUM',
  cwe: 548,
  title: 'Directory listing enabled',
  why: 'The web server lists the files of a directory. An attacker finds every file in it, including copies, drafts and backups that no page links to. The evidence shows the URL and the marker of the listing page.',
  fix: 'Disable listings (Options -Indexes in Apache, autoindex off in nginx), or add an index page to the directory. Remove files from the directory that are not meant for the public.',
  recipe: { set: 'no listing' },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/548.html',
  ],
  needs: ['directories', 'mainDocument'],

  *run({ directories, mainDocument: { url, status, body } }) {
    for (const page of [{ url: url.href, status, body }, ...directories]) {
      const shown = page.status === 200 ? LISTING.exec(page.body)?.[0] : undefined;
      if (shown !== undefined)
        yield { url: page.url, evidence: `GET ${page.url} returned a directory listing: ${shown}` };
    }
  },

  examples: [
    { name: 'main page', given: { body: '<html><title>Index of /</title>' }, fails: 1 },
    {
      name: 'Express',
      given: { directories: [{ body: '<title>listing directory /files</title>' }] },
      fails: 1,
    },
    {
      name: 'Tomcat',
      given: { directories: [{ body: '<title>Directory Listing For [/files/]</title>' }] },
      fails: 1,
    },
    { name: 'Jetty', given: { directories: [{ body: '<title>Directory: /files/</title>' }] }, fails: 1 },
    { name: 'Apache or nginx', given: { directories: [{ body: '<title>Index of /images/</title>' }] }, fails: 1 },
    { name: 'IIS', given: { directories: [{ body: '<A HREF="/">[To Parent Directory]</A><br>' }] }, fails: 1 },
    {
      name: '403 and an ordinary page',
      given: { directories: [{ status: 403, body: 'Index of /' }, { body: '<h1>Images</h1>' }] },
      fails: 0,
    },
    { name: 'page that mentions a listing', given: { body: '<title>Why "Index of /" is bad</title>' }, fails: 0 },
  ],
});
