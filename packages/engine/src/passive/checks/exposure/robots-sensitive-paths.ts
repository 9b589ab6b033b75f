import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'robots-sensitive-paths',
  severity: 'INFO',
  cwe: 200,
  title: 'robots.txt discloses sensitive paths',
  why: 'The file robots.txt disallows paths whose names suggest administration, backups or internal data. Crawlers respect the file; an attacker reads it as a list of targets. The evidence shows the first such line.',
  fix: 'Protect these paths with authentication. To keep pages out of search engines, use X-Robots-Tag: noindex instead of robots.txt.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/01-Information_Gathering/03-Review_Webserver_Metafiles_for_Information_Leakage',
    'https://www.rfc-editor.org/rfc/rfc9309#section-3',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  files: [
    {
      path: '/robots.txt',
      signature: /^[ \t]*disallow:[ \t]*\/\S{0,60}(admin|backup|private|secret|intern|config)\S{0,60}/im,
    },
  ],
  examples: [
    {
      name: 'backup path',
      given: { files: { '/robots.txt': { body: 'User-agent: *\nDisallow: /old-backup/\n' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'search path',
      given: { files: { '/robots.txt': { body: 'User-agent: *\nDisallow: /search\n' } } },
      fails: 0,
    },
    { name: 'whole site', given: { files: { '/robots.txt': { body: 'User-agent: *\nDisallow: /\n' } } }, fails: 0 },
  ],
});
