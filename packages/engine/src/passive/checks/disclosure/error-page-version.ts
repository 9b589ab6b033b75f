import { definePassiveCheck } from '../../define-passive-check.ts';

/** Signatures in the default error pages of web servers. */
const BANNER =
  /(?:<address>|<center>|<hr ?\/?>|<h3>|<i>|Powered by )\s{0,3}(?:<[a-z][^>]{0,200}>)?\s{0,3}((?:Apache|Apache Tomcat|nginx|openresty|lighttpd|Jetty(?::\/\/)?|GlassFish Server[\w ]{0,40}|WildFly|JBoss\w{0,20}|PHP|OpenSSL|Werkzeug|gunicorn|CherryPy|Resin|Microsoft-IIS)[/ (]{1,2}\d{1,4}\.\d[\w.()-]{0,60})|(ASP\.NET Version:\d[\d.]{2,20})/i;

const nowhere = (body: string, status = 404) => ({ elsewhere: { status, body } });

export default definePassiveCheck({
  id: 'error-page-version',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 497,
  title: 'Error page discloses the server version',
  why: 'The default error page names the server software and its exact version. An attacker uses the version to select known vulnerabilities and exploits. The evidence shows the requested URL and the version.',
  fix: 'Serve custom error pages. Alternatively disable the signature: ServerSignature Off in Apache, server_tokens off in nginx, showServerInfo="false" in Tomcat, customErrors in ASP.NET.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/02-Fingerprint_Web_Server',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['notFound'],
  // Avoids a second finding for the same version.
  suppressedBy: ['server-version'],

  *run({ notFound }) {
    for (const { url, status, body } of notFound) {
      const [, banner, version] = (status >= 400 && BANNER.exec(body)) || [];
      if (banner === undefined && version === undefined) continue;
      yield { url, evidence: `${url} returned ${status} with "${banner ?? version}"` };
      return;
    }
  },

  examples: [
    {
      name: 'Apache',
      given: nowhere('<hr><address>Apache/2.4.41 (Ubuntu) Server at site.example</address>'),
      fails: 1,
    },
    { name: 'nginx', given: nowhere('<hr><center>nginx/1.18.0 (Ubuntu)</center>', 403), fails: 1 },
    { name: 'Tomcat', given: nowhere('<hr class="line" /><h3>Apache Tomcat/9.0.31</h3>'), fails: 1 },
    {
      name: 'Jetty',
      given: nowhere('<hr><a href="https://eclipse.org/jetty">Powered by Jetty:// 9.4.48</a>'),
      fails: 1,
    },
    { name: 'ASP.NET', given: nowhere('<b>Version Information:</b> ASP.NET Version:4.7.3930.0', 500), fails: 1 },
    { name: 'name without a version', given: nowhere('<hr><center>nginx</center>'), fails: 0 },
    { name: 'page that mentions nginx', given: nowhere('<p>We have moved to nginx/1.18.0 last year.</p>'), fails: 0 },
    { name: 'status 200', given: nowhere('<center>nginx/1.18.0</center>', 200), fails: 0 },
    { name: 'custom error page', given: nowhere('<h1>Not found</h1>'), fails: 0 },
  ],
});
