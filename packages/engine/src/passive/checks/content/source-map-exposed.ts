import { thoseThere } from '../../../evidence/missing.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const LIBRARY = /(^|\/)(node_modules|bower_components)\/|^(webpack\/|webpack:\/\/\/?webpack\/)/;
/** What was never meant for a browser. */
const SERVER = /(^|\/)(server|backend)\/|(^|\/)\.env(\.|$)/;
const MOST_SHOWN = 5;

export default definePassiveCheck({
  id: 'source-map-exposed',
  group: 'content',
  severity: 'LOW',
  cwe: 540,
  title: 'A source map shows the scripts as they were written',
  why: 'With names and comments it is much easier to see how the site works and where to try. For a site whose source is public anyway it shows nothing new.',
  fix: 'Keep source maps off the public server, or let only developers load them.',
  references: ['https://tc39.es/ecma426/', 'https://cwe.mitre.org/data/definitions/540.html'],
  needs: ['sourceMaps'],

  *run({ sourceMaps }) {
    for (const { url, sources, hasContent } of thoseThere(sourceMaps)) {
      const own = sources.filter((source) => !LIBRARY.test(source));
      const fromServer = own.filter((source) => SERVER.test(source));
      if (own.length === 0) continue;
      const shown = [...fromServer, ...own].slice(0, MOST_SHOWN);
      yield {
        url,
        evidence: `${url} holds ${own.length} files, among them ${shown.join(', ')}`,
        ...(hasContent && fromServer.length > 0 && { severity: 'MEDIUM' as const }),
      };
    }
  },

  examples: [
    { name: 'a map', given: { sourceMaps: [{ sources: ['webpack:///./src/app.ts'] }] }, fails: 1 },
    {
      name: 'one with files of the server',
      given: { sourceMaps: [{ sources: ['../src/app.ts', '../server/database.ts'] }] },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'one with names only',
      given: { sourceMaps: [{ sources: ['../server/database.ts'], hasContent: false }] },
      fails: 1,
    },
    {
      name: 'one with a library that renders on servers',
      given: { sourceMaps: [{ sources: ['a.ts', 'webpack:///./node_modules/react-dom/server/index.js'] }] },
      fails: 1,
    },
    {
      name: 'one of libraries only',
      given: { sourceMaps: [{ sources: ['../node_modules/vue/dist/vue.js'] }] },
      fails: 0,
    },
    { name: 'none', given: { scripts: { '/app.js': 'alert(1)' } }, fails: 0 },
  ],
});
