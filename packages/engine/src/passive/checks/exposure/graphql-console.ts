import { defineExposureCheck } from '../../define-exposure-check.ts';

const console = (path: string) => ({
  path,
  signature: /<title>\s*(GraphiQL|GraphQL Playground|Apollo (Server|Sandbox))[^<]{0,60}<\/title>/i,
  isPage: true,
});

export default defineExposureCheck({
  id: 'graphql-console',
  severity: 'LOW',
  cwe: 489,
  title: 'GraphQL console exposed (GraphiQL, Playground or Sandbox)',
  why: 'An interactive GraphQL console is public. An attacker uses it to explore the schema and to craft queries that no page of the site sends. The evidence shows the path and the title of the page.',
  fix: 'Serve GraphiQL, Playground or Sandbox in development only. Require authentication where it is needed in production.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/12-API_Testing/01-Testing_GraphQL',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
  files: [console('/graphql'), console('/graphiql')],
  examples: [
    { name: 'GraphiQL', given: { files: { '/graphiql': { body: '<html><title>GraphiQL</title>' } } }, fails: 1 },
    { name: 'Playground', given: { files: { '/graphql': { body: '<title>GraphQL Playground</title>' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'page about GraphiQL',
      given: { files: { '/graphql': { body: '<title>Why GraphiQL is nice</title>' } } },
      fails: 0,
    },
  ],
});
