import { defineExposureCheck } from '../../exposure-check.ts';

const console = (path: string) => ({
  path,
  signature: /<title>\s*(GraphiQL|GraphQL Playground|Apollo (Server|Sandbox))[^<]{0,60}<\/title>/i,
  isPage: true,
});

export default defineExposureCheck({
  id: 'graphql-console',
  severity: 'LOW',
  cwe: 489,
  title: 'A console for GraphQL is open to everybody',
  why: 'The console is made for developers: it helps strangers to write queries that no page of the site would send.',
  fix: 'Serve GraphiQL, Playground or Sandbox in development only.',
  references: ['https://github.com/graphql/graphiql', 'https://cwe.mitre.org/data/definitions/489.html'],
  files: [console('/graphql'), console('/graphiql')],
  examples: [
    { name: 'GraphiQL', given: { files: { '/graphiql': { body: '<html><title>GraphiQL</title>' } } }, fails: 1 },
    { name: 'Playground', given: { files: { '/graphql': { body: '<title>GraphQL Playground</title>' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a page about it',
      given: { files: { '/graphql': { body: '<title>Why GraphiQL is nice</title>' } } },
      fails: 0,
    },
  ],
});
