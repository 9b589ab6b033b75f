import { thoseThere } from '../../../evidence/missing.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const LIBRARY = /(^|\/)(node_modules|bower_components)\/|^(webpack\/|webpack:\/\/\/?webpack\/)/;
/** Files that are not meant for a browser. */
const SERVER = /(^|\/)(server|backend)\/|(^|\/)\.env(\.|$)/;
const MOST_SHOWN = 5;

export default definePassiveCheck({
  id: 'source-map-exposed',
  group: 'content',
  severity: 'LOW',
  cwe: 540,
  title: 'Source map exposed',
  why: 'A source map of a script is public and contains the original source code with its names and comments. It makes it easier for an attacker to find hidden endpoints and vulnerable code. The severity is higher if the map contains server-side files; for open source code it discloses nothing new.',
  fix: 'Do not deploy source maps to the public server, or restrict access to them. Upload them to the error tracking service instead.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    'https://tc39.es/ecma426/',
    'https://cwe.mitre.org/data/definitions/540.html',
  ],
  needs: ['sourceMaps'],

  *run({ sourceMaps }) {
    for (const { url, sources, hasContent } of thoseThere(sourceMaps)) {
      const own = sources.filter((source) => !LIBRARY.test(source));
      const fromServer = own.filter((source) => SERVER.test(source));
      if (own.length === 0) continue;
      const shown = [...fromServer, ...own].slice(0, MOST_SHOWN);
      yield {
        url,
        evidence: `${url} contains ${own.length} source files, including ${shown.join(', ')}`,
        ...(hasContent && fromServer.length > 0 && { severity: 'MEDIUM' as const }),
      };
    }
  },

  examples: [
    { name: 'source map', given: { sourceMaps: [{ sources: ['webpack:///./src/app.ts'] }] }, fails: 1 },
    {
      name: 'server-side files',
      given: { sourceMaps: [{ sources: ['../src/app.ts', '../server/database.ts'] }] },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'server-side file names without content',
      given: { sourceMaps: [{ sources: ['../server/database.ts'], hasContent: false }] },
      fails: 1,
    },
    {
      name: 'server-side library',
      given: { sourceMaps: [{ sources: ['a.ts', 'webpack:///./node_modules/react-dom/server/index.js'] }] },
      fails: 1,
    },
    {
      name: 'libraries only',
      given: { sourceMaps: [{ sources: ['../node_modules/vue/dist/vue.js'] }] },
      fails: 0,
    },
    { name: 'no source map', given: { scripts: { '/app.js': 'alert(1)' } }, fails: 0 },
  ],
});
